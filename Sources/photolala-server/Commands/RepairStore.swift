import AccountMaintenance
import ArgumentParser
import Foundation
import ServiceWiring
import Synchronization

/// Checks accounts, links and identity bindings against each other and completes interrupted acts.
struct RepairStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Check all accounts, links and identity bindings, and complete interrupted operations.",
        discussion: "A dry run unless --apply is given. A server may run on the store at the same time."
    )

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Repair the findings; default: dry run.")
    var apply = false

    @Flag(help: "Print one JSON object per finding, and one for the summary.")
    var json = false

    func run() async throws {
        let remaining = Mutex(0)
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.repair")
            try await LiveStore.use(settings, for: apply ? .changes : .reading, logger: logger) { store in
                let accounts = try await LiveStore.accounts(store, settings)
                let report = RepairReport(isJSON: json, isDryRun: !apply)
                let summary = try await Repair(accounts, isDryRun: !apply) { print(report.line($0)) }.run()
                print(report.line(summary))
                remaining.withLock { $0 = summary.findings - summary.settled }
            }
        }
        if remaining.withLock({ $0 }) > 0 { throw ExitCode.failure }
    }
}

/// Formats the results of a repair as text or JSON lines.
struct RepairReport {
    let isJSON: Bool
    let isDryRun: Bool

    func line(_ finding: RepairFinding) -> String {
        guard !isJSON else { return JSONLine.encode(finding) }
        let about = [finding.account.map { "account \($0)" }, finding.object].compactMap(\.self).joined(separator: "  ")
        return "\(finding.isSettled ? "resolved" : "found   ")  \(finding.kind.rawValue)  \(about)"
    }

    func line(_ summary: RepairSummary) -> String {
        guard !isJSON else { return JSONLine.encode(summary) }
        let checked =
            "checked \(Counted.accounts(summary.accounts)), \(Counted.bindings(summary.claims)) and "
            + Counted.text(summary.hints, "hint")
        guard summary.findings > 0 else { return "\(checked): no findings" }
        let outcome = isDryRun ? "nothing was changed. Repair with --apply" : "\(summary.settled) resolved"
        return "\(checked): \(Counted.findings(summary.findings)), \(outcome)"
    }
}
