// SPDX-License-Identifier: MIT
// The Python module: one bind_x per topic, each in the file of that name. Bindings convert and check; they hold no logic.
#include "bindings.h"

#include "cards/registers.h"
#include "threads/lookout.h"

namespace nb = nanobind;

#ifdef __clang__
#define REGRETLESS_COMPILER __VERSION__  // says its name
#else
#define REGRETLESS_COMPILER "g++ " __VERSION__
#endif

namespace regretless {
namespace {

constexpr const char* kListener = "regretless listener";  // the callable, in the dictionary that Python keeps for each thread

// Python delivers signals to its main thread; in other threads only the listener is called.
void look_for_python() {
  nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  PyObject* kept = PyThreadState_GetDict();
  const nb::object listener = nb::borrow(kept == nullptr ? nullptr : PyDict_GetItemString(kept, kListener));
  if (listener.is_valid() && !listener.is_none()) listener();
}

void listen(nb::object callable) {
  if (!callable.is_none() && PyCallable_Check(callable.ptr()) == 0) throw nb::type_error("the listener must be callable");
  PyObject* kept = PyThreadState_GetDict();
  if (kept == nullptr || PyDict_SetItemString(kept, kListener, callable.ptr()) != 0) throw nb::python_error();
  Lookout::set(&look_for_python);
}

}  // namespace
}  // namespace regretless

// The file has a name for each level that it is compiled for; to Python all of them are one module.
NB_MODULE(REGRETLESS_MODULE, m) {
  m.attr("__name__") = "regretless._native";
  m.doc() = "The native core of regretless.";
  m.def("level", [] { return regretless::kLevel; }, "The processor level that this is compiled for.");
  m.def("listen", &regretless::listen, nb::arg("callable").none(),
        "Have long native calls of this thread call this about ten times a second; an exception that it raises ends the native\n"
        "call. None: nothing is called, and signals still end the native call.");
  regretless::listen(nb::none());
  m.def("compiler", [] { return REGRETLESS_COMPILER; }, "The compiler and its version.");
  nanobind::set_leak_warnings(false);  // interpreters that end with our objects alive are no news to users
  regretless::bind_buffers(m);
  regretless::bind_cards(m);
  regretless::bind_abstraction(m);
  regretless::bind_equity(m);
  regretless::bind_games(m);
  regretless::bind_observe(m);
  regretless::bind_networks(m);
  regretless::bind_questions(m);
  regretless::bind_jobs(m);
  regretless::bind_traversals(m);
  regretless::bind_solve(m);
  regretless::bind_public_states(m);
  regretless::bind_subgames(m);
  regretless::bind_explicit(m);
  regretless::bind_mccfr(m);
}
