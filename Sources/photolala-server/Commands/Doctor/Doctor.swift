import ArgumentParser
import Foundation
import SMTP
import ServiceWiring

/// Checks what a server depends on, and says what to do.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check store, clock, keys, providers, disk, certificate and jobs.",
        discussion: """
            A server may run on the store at the same time. Writes one object to a bucket and deletes it; writes nothing to a \
            folder. --mail-to sends a test e-mail instead, and reports each step. Exit status: 1 if a check found a problem (warnings do not count), and 78 if the settings are invalid, \
            as for serve.
            """)

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Print one JSON object per check.")
    var json = false

    @Option(
        help: ArgumentHelp("Only send a test e-mail to this address, and report each step.", valueName: "address"),
        transform: { text in
            guard let address = MailAddress(text) else { throw ValidationError("not an e-mail address in ASCII") }
            return address
        })
    var mailTo: MailAddress?

    func run() async throws {
        var hasProblem = false
        try await ExitStatus.reporting {
            let settings = try options.read()
            for finding in try await findings(settings) {
                hasProblem = hasProblem || finding.level == .problem
                print(json ? JSONLine.encode(finding) : finding.text)
            }
        }
        if hasProblem { throw ExitCode.failure }
    }

    private func findings(_ settings: Settings) async throws -> [Finding] {
        guard let mailTo else { return await Examination(settings, now: { Date() }).findings() }
        guard let mail = settings.mail else {
            throw CommandRefusal("no mail server: set mail.url and mail.from, see docs/security-mail.md")
        }
        let id = "test-\(UUID().uuidString.lowercased())"
        return await MailTest(mail, to: mailTo, service: settings.brand.name, at: Date(), id: id).findings()
    }
}
