/*
 * Failures of generated code.
 *
 * A failed invocation returns zeros; fusee_take_error() says why. There are no
 * handlers: a component that cares asks.
 */
#pragma once

#include <fusee.h>
