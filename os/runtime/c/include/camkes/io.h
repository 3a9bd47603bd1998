/* Memory barriers for code that drives devices. */
#pragma once

#include <camkes/dataport.h>
