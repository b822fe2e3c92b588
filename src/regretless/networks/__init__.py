# SPDX-License-Identifier: MIT
"""Neural networks: shapes, modules, ONNX graphs, CUDA graphs."""
