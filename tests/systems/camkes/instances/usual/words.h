#define WORDS "good morning"
