import Accounts
import ArgumentParser
import Foundation
import PhotolalaAPI
import ServiceWiring
import Transport
import UseCases

/// Writes everything stored about a person into an archive.
struct ExportAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything stored about an account's owner to one ZIP file.",
        discussion: """
            Writes the same ZIP file as photolala export, for an owner who cannot sign in. An existing file is never \
            replaced. An interrupted export leaves FILE.unfinished-…; delete it. Exit status: 1 also if photos are missing, \
            damaged or archived; missing.json and manifest.json list them.
            """)

    @OptionGroup var account: AccountChangeOptions

    @Option(help: ArgumentHelp("The archive to create.", valueName: "file"))
    var to: String

    func run() async throws {
        var isComplete = false
        try await account.open { store, settings, user, reason in
            let (naming, keyRing) = try await LiveStore.watchManifest(store.objects, settings)
            let transport = AsyncHTTPTransport()
            let outcome: Result<OperatorExport.Summary, any Error>
            do {
                let services = try Live(settings).makeServices(store.service, keyRing, naming, [], transport)
                try await services.deletion.openErasureKey()
                outcome = .success(try await write(services.operatorExport, user, reason))
            } catch {
                outcome = .failure(error)
            }
            try? await transport.shutdown()
            let summary = try outcome.get()
            isComplete = summary.isComplete
            for line in lines(summary, user) { print(line) }
        }
        if !isComplete { throw ExitCode.failure }
    }

    private func write(
        _ export: OperatorExport, _ user: UserID, _ reason: OperatorReason
    ) async throws -> OperatorExport.Summary {
        let file = try NewFile(path: to)
        do {
            let summary = try await export.write(user, reason: reason) { try file.write($0) }
            try file.finish()
            return summary
        } catch {
            file.abandon()
            throw error
        }
    }

    private func lines(_ summary: OperatorExport.Summary, _ user: UserID) -> [String] {
        var lines = ["exported account \(user) to \(to)"]
        func add(_ name: String, _ text: String) {
            lines.append("  \(name.padding(toLength: 8, withPad: " ", startingAt: 0))  \(text)")
        }
        add("size", Counted.text(Int(summary.size), "byte"))
        add("photos", "\(summary.photos)")
        for (name, count) in [
            ("missing", summary.missingPhotos), ("damaged", summary.damagedPhotos),
            ("archived", summary.archivedPhotos),
        ] where count > 0 { add(name, "\(count)") }
        if summary.isCatalogDamaged { add("catalog", "damaged: the photos are in the folder unlisted") }
        return lines
    }
}
