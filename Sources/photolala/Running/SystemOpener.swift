import Foundation

/// The programs with which this machine opens addresses and files.
enum SystemOpener {
    #if os(macOS)
        private static let program = "open"
    #else
        private static let program = "xdg-open"
    #endif

    /// Asks the system to open an address or a file, and does not wait for the program.
    /// - Returns: Whether the program could be started.
    static func open(_ url: URL) -> Bool {
        #if !os(macOS)
            // Without a display, this would start a text browser in this terminal, or nothing.
            let environment = ProcessInfo.processInfo.environment
            guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
        #endif
        var arguments = [strdup(program), strdup(url.absoluteString), nil]
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
        return posix_spawnp(&child, program, &actions, nil, &arguments, &variables) == 0
    }
}
