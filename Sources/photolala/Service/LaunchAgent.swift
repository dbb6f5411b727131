/// The file of a service for launchd. It has never been loaded by macOS.
enum LaunchAgent {
    /// - Parameter log: The file that receives the output.
    static func text(of service: SyncService, log: String) -> String {
        let words = service.command.map { "        <string>\(escaped($0))</string>" }.joined(separator: "\n")
        // launchd cannot tell exit statuses apart, so restarts are rare.
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- \(SyncService.mark) -->
            <plist version="1.0">
            <dict>
                <key>Label</key>
                <string>\(escaped(service.name))</string>
                <key>ProgramArguments</key>
                <array>
            \(words)
                </array>
                <key>RunAtLoad</key>
                <true/>
                <key>KeepAlive</key>
                <dict>
                    <key>SuccessfulExit</key>
                    <false/>
                </dict>
                <key>ThrottleInterval</key>
                <integer>300</integer>
                <key>ProcessType</key>
                <string>Background</string>
                <key>StandardOutPath</key>
                <string>\(escaped(log))</string>
                <key>StandardErrorPath</key>
                <string>\(escaped(log))</string>
            </dict>
            </plist>

            """
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
