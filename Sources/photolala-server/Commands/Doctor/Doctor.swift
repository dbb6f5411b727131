import ArgumentParser
import Foundation
import ServiceWiring

/// Checks what a server depends on, and says what to do.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check store, clock, keys, providers, disk, certificate and jobs.",
        discussion: """
            A server may run on the store at the same time. Writes one object to a bucket and deletes it; writes nothing to a \
            folder. Exit status: 1 if a check found a problem (warnings do not count), and 78 if the settings are invalid, \
            as for serve.
            """)

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Print one JSON object per check.")
    var json = false

    func run() async throws {
        var hasProblem = false
        try await ExitStatus.reporting {
            let settings = try options.read()
            for finding in await Examination(settings, now: { Date() }).findings() {
                hasProblem = hasProblem || finding.level == .problem
                print(json ? JSONLine.encode(finding) : finding.text)
            }
        }
        if hasProblem { throw ExitCode.failure }
    }
}
