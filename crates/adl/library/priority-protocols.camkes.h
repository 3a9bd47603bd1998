/* Macros for descriptions with prioritised requests:
 *
 *     #define service_a_num_threads 3
 *     connection rpc(service_a_num_threads) a(from task.a, to service.a);
 *     service.a_num_threads = service_a_num_threads;
 *
 * A component that provides an interface `a` says `interface_priority_attributes(a)`,
 * one with a task says `task_priority_attributes()`.
 */
#pragma once

#define rpc_token(num_threads) seL4RPCCallPrioritized##num_threads
#define rpc(num_threads) rpc_token(num_threads)

#define interface_priority_attributes(name) \
    attribute int name##_num_threads; \
    attribute int name##_priority; \
    attribute string name##_priority_protocol;

#define task_priority_attributes() \
    attribute int _priority; \
    attribute int requestor = __COUNTER__;
