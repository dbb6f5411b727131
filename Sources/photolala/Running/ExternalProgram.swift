import Foundation

/// Other programs of this machine.
enum ExternalProgram {
    /// Starts a program without input and output, and does not wait for its end.
    /// - Returns: Whether it could be started.
    static func start(_ words: [String]) -> Bool { spawn(words) != nil }

    /// Runs a program without input and output to its end.
    /// - Returns: Its exit status; `nil` if it could not be started or was killed.
    static func run(_ words: [String]) -> Int32? {
        guard let child = spawn(words) else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }

    private static func spawn(_ words: [String]) -> pid_t? {
        guard let program = words.first else { return nil }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        #if os(macOS)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: CInt in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
        var child: pid_t = 0
        return posix_spawnp(&child, program, &actions, nil, &arguments, &variables) == 0 ? child : nil
    }
}
