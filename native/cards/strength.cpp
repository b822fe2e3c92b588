// SPDX-License-Identifier: MIT
#include "cards/strength.h"
