/*
 * Messages about a program's own state, on the component's console.
 *
 * As CAmkES's builds set it, errors are shown and what is less than a warning is not.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define ZF_LOGE(...) (printf(__VA_ARGS__), (void)printf("\n"))
#define ZF_LOGW(...) ZF_LOGE(__VA_ARGS__)
#define ZF_LOGI(...) ((void)0)
#define ZF_LOGD(...) ((void)0)
#define ZF_LOGV(...) ((void)0)
#define ZF_LOGF(...) (ZF_LOGE(__VA_ARGS__), abort())
#define ZF_LOGE_IF(condition, ...) ((condition) ? ZF_LOGE(__VA_ARGS__) : (void)0)
#define ZF_LOGW_IF(condition, ...) ZF_LOGE_IF(condition, __VA_ARGS__)
#define ZF_LOGI_IF(condition, ...) ((void)(condition))
#define ZF_LOGD_IF(condition, ...) ((void)(condition))
#define ZF_LOGV_IF(condition, ...) ((void)(condition))
#define ZF_LOGF_IF(condition, ...) ((condition) ? (ZF_LOGE(__VA_ARGS__), abort()) : (void)0)
