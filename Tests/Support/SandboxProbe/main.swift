import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// A process that gives up its rights as a decoder does and then tries one thing. Exits with 0 if it succeeds, with 1 if
// it is denied, and with 2 if the sandbox failed.
//
//     sandbox-probe allocate|allocate-much|code|open|socket|fork|execute|signal|write FILE|compute

let words = CommandLine.arguments
let file = words.count > 2 ? open(words[2], O_WRONLY) : -1
guard photolala_limit_resources(1 << 30) == 0, photolala_enter_sandbox(1) == 0 else { _exit(2) }

/// Returns whether memory of a size, in bytes, can be mapped.
func map(_ size: Int, _ protection: CInt) -> Bool {
    mmap(nil, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
}

func compute() -> Bool { while true {} }

let succeeded =
    switch words.count > 1 ? words[1] : "" {
    case "allocate": map(64 << 20, PROT_READ | PROT_WRITE)
    case "allocate-much": map(2 << 30, PROT_READ | PROT_WRITE)
    case "code": map(4096, PROT_READ | PROT_EXEC)
    case "open": open("/dev/null", O_RDONLY) >= 0
    case "socket": socket(AF_UNIX, CInt(1), 0) >= 0
    case "fork": photolala_fork() >= 0
    case "execute": execv("/bin/true", [nil]) == 0
    case "signal": kill(getppid(), 0) == 0
    case "write": write(file, "x", 1) == 1
    default: compute()
    }
_exit(succeeded ? 0 : 1)
