import AccountMaintenance
import Accounts
import ArgumentParser
import Foundation
import Logging
import Monitoring
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import Synchronization

/// Migrates a store: imports a legacy layout, or re-keys the identity bindings to another key encoding.
struct MigrateStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Import a legacy layout, or re-key the identity bindings.",
        discussion: """
            A dry run unless --apply is given. --apply writes new objects beside the old ones. --confirm then removes \
            the old objects, --undo the new ones. Without options it prints the migration in progress. Run an \
            interrupted step again to resume it. Servers may run during a re-keying to another key encoding or to \
            the current master key. Stop all servers before a legacy import or its --undo; none starts until it has \
            finished.
            """
    )

    /// The source of the objects.
    enum Origin: String, ExpressibleByArgument, CaseIterable {
        case legacyLayouts = "older-layouts"
    }

    @OptionGroup var options: SettingsOptions

    @Option(help: "older-layouts: import the objects of a legacy layout.")
    var from: Origin?

    @Option(help: "plain or hashed: the new key encoding, under the current master key.")
    var subjects: KeyEncoding.Mode?

    @Flag(help: "Write the new objects beside the old ones.")
    var apply = false

    @Flag(help: "Keep the new objects and remove the old ones.")
    var confirm = false

    @Flag(help: "Keep the old objects and remove the new ones.")
    var undo = false

    @Option(help: "A file for the progress of a legacy import as Prometheus metrics.", completion: .file())
    var metrics: String?

    @Flag(help: "Print one JSON object per finding, and one for the summary.")
    var json = false

    func validate() throws {
        guard [apply, confirm, undo].count(where: { $0 }) <= 1 else {
            throw ValidationError("--apply, --confirm and --undo are mutually exclusive")
        }
        guard subjects == nil || from == nil else {
            throw ValidationError("--from and --subjects are mutually exclusive")
        }
        guard (subjects == nil && from == nil) || !(confirm || undo) else {
            throw ValidationError(
                "--confirm and --undo end the migration in progress. Omit --from and --subjects")
        }
        guard metrics == nil || (apply && from != nil) else {
            throw ValidationError("--metrics requires --apply and --from")
        }
        guard subjects != nil || from != nil || !apply else {
            throw ValidationError("--apply requires --from or --subjects")
        }
    }

    func run() async throws {
        let isBlocked = Mutex(false)
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let logger = settings.log.makeLogger("photolala.migrate")
            try await LiveStore.use(settings, for: purpose, logger: logger) { store in
                let wait: @Sendable (TimeInterval) async -> Void = { seconds in
                    logger.notice(
                        .migrationWaiting, "waiting until all servers have read the store manifest",
                        metadata: ["seconds": "\(Int(seconds))"])
                    try? await Task.sleep(for: .seconds(seconds))
                }
                let layouts = try makeLegacyImport(store, settings, wait)
                let isFree =
                    if try await isLegacyImport(store) {
                        try await layouts.run(step)
                    } else {
                        try await runRekeying(store, settings, wait)
                    }
                isBlocked.withLock { $0 = !isFree }
            }
        }
        if isBlocked.withLock({ $0 }) { throw ExitCode.failure }
    }

    var purpose: StorePurpose { apply || confirm || undo ? .changes : .reading }

    private var step: LegacyImportCommand.Step {
        if confirm { return .confirm }
        if undo { return .undo }
        if apply { return .apply }
        return from == nil ? .status : .plan
    }

    /// Returns whether this call is about the legacy import: it names the origin, or no subjects and an import is in
    /// progress.
    private func isLegacyImport(_ store: any ObjectStore) async throws -> Bool {
        guard from == nil else { return true }
        guard subjects == nil else { return false }
        return try await StoreManifest.legacyImport(of: store) != nil
    }

    private func makeLegacyImport(
        _ store: any ObjectStore, _ settings: Settings, _ wait: @escaping @Sendable (TimeInterval) async -> Void
    ) throws -> LegacyImportCommand {
        let report = LegacyImportReport(isJSON: json)
        let metrics = metrics.map { ImportMetrics(file: URL(filePath: $0)) }
        let migration = LegacyImport(
            store: store, retry: LiveStore.retry, keyRing: try LiveStore.makeKeyRing(settings, creatingKey: true),
            environment: settings.environment, subjects: settings.subjects,
            catalogs: LiveCatalogs(store: store, pause: LiveStore.backoff, randomness: .system, now: { Date() }),
            now: { Date() }, randomness: .system, progress: metrics?.progress,
            pause: wait
        ) { print(report.line($0)) }
        return LegacyImportCommand(migration: migration, report: report, metrics: metrics)
    }

    /// - Returns: Whether nothing blocks the next step.
    private func runRekeying(
        _ store: any ObjectStore, _ settings: Settings, _ wait: @escaping @Sendable (TimeInterval) async -> Void
    ) async throws -> Bool {
        let findings = RepairReport(isJSON: json, isDryRun: true)
        let report = RekeyingReport(isJSON: json)
        let migration = IdentityRekeying(try await LiveStore.accounts(store, settings), pause: wait) { finding in
            print(findings.line(finding))
        }
        do {
            if confirm {
                print(report.line(try await migration.confirm(), .done))
            } else if undo {
                print(report.line(try await migration.undo(), .done))
            } else if let subjects {
                let summary = apply ? try await migration.apply(to: subjects) : try await migration.plan(to: subjects)
                print(report.line(summary, apply ? .applied : .planned))
                return !summary.isBlocked
            } else {
                print(report.line(try await migration.status()))
            }
            return true
        } catch RekeyingError.incomplete(let summary) {
            print(report.line(summary, .stopped))
            return false
        }
    }
}

extension KeyEncoding.Mode: ExpressibleByArgument {}
