import AccountMaintenance
import Accounts
import ArgumentParser
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// Migrates a store: imports a legacy layout, or re-keys the identity bindings to another key encoding.
struct MigrateStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move a store from older layouts, or to plain or hashed subjects.",
        discussion: """
            A dry run unless --apply is given. After --apply both the old and the new are there; --confirm ends that \
            with the new, --undo with the old. Without any option it says what is under way. Whatever was interrupted \
            goes on when it is run again. Servers may run during a move to other subjects, or to the current master \
            key; none may while objects of older layouts are being moved, and none starts.
            """
    )

    /// The source of the objects.
    enum Origin: String, ExpressibleByArgument, CaseIterable {
        case legacyLayouts = "older-layouts"
    }

    @OptionGroup var options: SettingsOptions

    @Option(help: "older-layouts: move what earlier systems stored to where it belongs now.")
    var from: Origin?

    @Option(help: "plain or hashed: how subjects shall be spelled, under the current master key.")
    var subjects: KeyEncoding.Mode?

    @Flag(help: "Write the new beside the old.")
    var apply = false

    @Flag(help: "Only the new counts from now on; the old is removed.")
    var confirm = false

    @Flag(help: "Only the old counts, as before; the new is removed.")
    var undo = false

    @Flag(help: "One JSON object for each finding, and one for the summary at the end.")
    var json = false

    func validate() throws {
        guard [apply, confirm, undo].count(where: { $0 }) <= 1 else {
            throw ValidationError("--apply, --confirm and --undo exclude each other")
        }
        guard subjects == nil || from == nil else { throw ValidationError("--from and --subjects are two moves") }
        guard (subjects == nil && from == nil) || !(confirm || undo) else {
            throw ValidationError(
                "--confirm and --undo end the move that is under way; leave --from and --subjects out")
        }
        guard subjects != nil || from != nil || !apply else {
            throw ValidationError("--apply needs --from or --subjects")
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
                    logger.notice("waiting until every server knows", metadata: ["seconds": "\(Int(seconds))"])
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
        let migration = LegacyImport(
            store: store, retry: LiveStore.retry, keyRing: try LiveStore.makeKeyRing(settings),
            environment: settings.environment, subjects: settings.subjects,
            catalogs: LiveCatalogs(store: store, pause: LiveStore.backoff, randomness: .system, now: { Date() }),
            now: { Date() }, randomness: .system,
            pause: wait
        ) { print(report.line($0)) }
        return LegacyImportCommand(migration: migration, report: report)
    }

    /// - Returns: Whether nothing blocks the next step.
    private func runRekeying(
        _ store: any ObjectStore, _ settings: Settings, _ wait: @escaping @Sendable (TimeInterval) async -> Void
    ) async throws -> Bool {
        let findings = RepairReport(isJSON: json, isDry: true)
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
