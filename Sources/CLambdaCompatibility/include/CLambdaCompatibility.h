// Functions of the C and C++ libraries whose newest version the system of AWS Lambda lacks. Nothing here is called by
// name.
