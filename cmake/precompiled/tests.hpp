// What most tests include of others, beyond what the library does.
#include "library.hpp"

#include <gtest/gtest.h>
