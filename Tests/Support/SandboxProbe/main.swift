import CThumbnailWorker

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// A process that gives up its rights as a decoder does, or with "ffmpeg" first as ffmpeg does, and then tries one thing. Exits with 0 if it succeeds, with 1 if
// it is denied, and with 2 if the sandbox failed.
//
//     sandbox-probe [ffmpeg] ACT [FILE]

var words = CommandLine.arguments.dropFirst()
let enter = words.first == "ffmpeg" ? photolala_forbid_changes : photolala_enter_sandbox
if words.first == "ffmpeg" { words = words.dropFirst() }
let act = words.first ?? ""
let path = words.dropFirst().first
let file = path.map { open($0, O_WRONLY) } ?? -1
guard photolala_limit_resources(1 << 30) == 0, enter(1) == 0 else { _exit(2) }

/// Returns whether memory of a size, in bytes, can be mapped.
func map(_ size: Int, _ protection: CInt) -> Bool {
    mmap(nil, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
}

func compute() -> Bool { while true {} }

let succeeded =
    switch act {
    case "allocate": map(64 << 20, PROT_READ | PROT_WRITE)
    case "allocate-much": map(2 << 30, PROT_READ | PROT_WRITE)
    case "code": map(4096, PROT_READ | PROT_EXEC)
    case "open": open("/dev/null", O_RDONLY) >= 0
    case "open-to-write": open(path ?? "", O_WRONLY) >= 0
    case "truncate": truncate(path ?? "", 0) == 0
    case "remove": unlink(path ?? "") == 0
    case "socket": socket(AF_UNIX, CInt(1), 0) >= 0
    case "fork": photolala_fork() >= 0
    case "execute": execv("/bin/true", [nil]) == 0
    case "signal": kill(getppid(), 0) == 0
    case "write": write(file, "x", 1) == 1
    default: compute()
    }
_exit(succeeded ? 0 : 1)
