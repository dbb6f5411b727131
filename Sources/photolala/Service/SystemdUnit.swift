/// The file of a service for systemd's user manager.
enum SystemdUnit {
    /// The exit statuses after which a restart does not help: no session, another server, wrong usage, refused.
    private static let final: [ExitStatus] = [.notSignedIn, .alreadyInUse, .wrongUsage, .signInRejected]

    static func text(of service: SyncService) -> String {
        """
        # \(SyncService.mark)
        [Unit]
        Description=Photolala sync of \(specifierEscaped(Terminal.sanitized(service.folder)))
        Documentation=man:photolala-sync(1)

        [Service]
        ExecStart=\(service.command.enumerated().map { quoted($1, isProgram: $0 == 0) }.joined(separator: " "))
        Restart=on-failure
        RestartSec=60
        RestartPreventExitStatus=\(final.map { "\($0.rawValue)" }.joined(separator: " "))
        SuccessExitStatus=\(ExitStatus.interrupted.rawValue)
        Nice=10
        NoNewPrivileges=yes
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

        [Install]
        WantedBy=default.target

        """
    }

    /// Quotes a word of a command line of systemd. Variables are replaced in arguments, but not in the program.
    static func quoted(_ word: String, isProgram: Bool = false) -> String {
        var text = ""
        for scalar in specifierEscaped(word).unicodeScalars {
            switch scalar {
            case "\\", "\"": text += "\\\(scalar)"
            case "$" where !isProgram: text += "$$"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let digits = String(scalar.value, radix: 16)
                text += "\\x\(digits.count == 1 ? "0" : "")\(digits)"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }

    private static func specifierEscaped(_ text: String) -> String { text.replacing("%", with: "%%") }
}
