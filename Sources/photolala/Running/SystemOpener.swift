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
        return ExternalProgram.start([program, url.absoluteString])
    }
}
