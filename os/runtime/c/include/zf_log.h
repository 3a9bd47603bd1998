/* <utils/zf_log.h> under its other name. */
#pragma once

#include <utils/zf_log.h>
