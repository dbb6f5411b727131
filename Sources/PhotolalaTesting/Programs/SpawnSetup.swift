#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The attributes for `posix_spawn`: the folder and three streams, no other open files, default signal actions.
struct SpawnSetup: ~Copyable {
    #if canImport(Darwin)
        private var actions: posix_spawn_file_actions_t?
        private var attributes: posix_spawnattr_t?
    #else
        private typealias Actions = posix_spawn_file_actions_t
        private var actions = Actions()
        private var attributes = posix_spawnattr_t()
    #endif

    init() throws {
        try Self.check(posix_spawn_file_actions_init(&actions), "actions")
        try Self.check(posix_spawnattr_init(&attributes), "attributes")
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        // A test run may ignore signals, and child processes inherit that.
        try Self.check(posix_spawnattr_setsigdefault(&attributes, &all), "signals")
        try Self.check(posix_spawnattr_setsigmask(&attributes, &none), "signals")
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        try Self.check(posix_spawnattr_setflags(&attributes, Int16(flags)), "flags")
    }

    deinit {
        var (actions, attributes) = (actions, attributes)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    mutating func setWorkingDirectory(in folder: String) throws {
        #if canImport(Darwin)
            try Self.check(posix_spawn_file_actions_addchdir_np(&actions, folder), folder)
        #else
            typealias Function = @convention(c) (UnsafeMutablePointer<Actions>, UnsafePointer<CChar>) -> Int32
            let function = try Self.function("posix_spawn_file_actions_addchdir_np", as: Function.self)
            try Self.check(function(&actions, folder), folder)
        #endif
    }

    mutating func duplicate(_ file: Int32, as stream: Int32) throws {
        try Self.check(posix_spawn_file_actions_adddup2(&actions, file, stream), "stream \(stream)")
    }

    mutating func open(_ path: String, _ flags: Int32, as stream: Int32) throws {
        try Self.check(posix_spawn_file_actions_addopen(&actions, stream, path, flags, 0o600), path)
    }

    /// - Returns: The program's process id.
    mutating func spawn(_ words: [String], _ variables: [String]) throws -> pid_t {
        #if !canImport(Darwin)
            typealias Function = @convention(c) (UnsafeMutablePointer<Actions>, Int32) -> Int32
            let function = try Self.function("posix_spawn_file_actions_addclosefrom_np", as: Function.self)
            try Self.check(function(&actions, 3), "files")
        #endif
        let (arguments, environment) = (words.map { strdup($0) }, variables.map { strdup($0) })
        defer { for text in arguments + environment { free(text) } }
        var identifier: pid_t = 0
        let outcome = posix_spawn(
            &identifier, words[0], &actions, &attributes, arguments + [nil], environment + [nil])
        try Self.check(outcome, words[0])
        return identifier
    }

    #if !canImport(Darwin)
        /// Returns a function of the system library that its Swift module does not export.
        private static func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
            guard let function = dlsym(nil, name) else { throw ConformanceFailure("no \(name)") }
            return unsafeBitCast(function, to: type)
        }
    #endif

    private static func check(_ outcome: Int32, _ subject: String) throws {
        guard outcome == 0 else { throw ConformanceFailure("\(subject): \(String(cString: strerror(outcome)))") }
    }
}
