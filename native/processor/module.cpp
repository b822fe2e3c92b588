// SPDX-License-Identifier: MIT
// The Python module that is asked which module of the core to import. It must run on every processor: plain C calls, and
// compiled for no level.
#include <Python.h>

#include "processor/levels.h"

namespace {

PyObject* levels(PyObject*, PyObject*) {
  PyObject* found = PyList_New(0);
  if (found == nullptr) return nullptr;
  for (const std::string_view level : regretless::processor_levels()) {
    PyObject* name = PyUnicode_FromStringAndSize(level.data(), static_cast<Py_ssize_t>(level.size()));
    const bool ok = name != nullptr && PyList_Append(found, name) == 0;
    Py_XDECREF(name);
    if (!ok) {
      Py_DECREF(found);
      return nullptr;
    }
  }
  return found;
}

PyMethodDef functions[] = {
    {"levels", levels, METH_NOARGS, "The levels that the processor and the system can run, best first."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition{PyModuleDef_HEAD_INIT,
                       "regretless._processor",
                       "What the processor can run.",
                       0,
                       functions,
                       nullptr,
                       nullptr,
                       nullptr,
                       nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__processor() { return PyModule_Create(&definition); }
