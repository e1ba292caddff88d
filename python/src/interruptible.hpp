// Work that knows nothing of Python, while Python goes on: other threads run, and Ctrl-C ends it.
#pragma once

#include <atomic>
#include <functional>

namespace tacit::python {

/// For work that is over before anybody could press Ctrl-C: without a thread, which would cost more than the work.
void without_python(const std::function<void(const std::atomic<bool>& stop)>& work);

/// Calls work(stop) in a thread of its own. The calling one lets go of the interpreter meanwhile and looks for signals: after
/// one that raises, `stop` is true, the work is waited for, and the exception is thrown.
void interruptibly(const std::function<void(const std::atomic<bool>& stop)>& work);

}  // namespace tacit::python
