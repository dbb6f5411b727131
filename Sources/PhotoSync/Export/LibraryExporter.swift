import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI

/// Assembles an export of the account in a local file: downloads the photos and writes them, with the account's files
/// from the server, as a ZIP archive.
///
/// The archive is written under a temporary name beside its final one. It begins with everything that its layout
/// depends on, so another run needs only this file to continue.
package struct LibraryExporter: Sendable {
    /// The requests that the server answers.
    package struct Server: Sendable {
        let files: @Sendable () async throws -> ExportFiles
        let sign: @Sendable (_ manifestSHA256: String) async throws -> String

        /// - Parameters:
        ///   - files: Returns the account's files. Called only if no earlier run has stored them.
        ///   - sign: Returns the signature of a manifest, given its SHA-256 in hex.
        package init(
            files: @escaping @Sendable () async throws -> ExportFiles,
            sign: @escaping @Sendable (_ manifestSHA256: String) async throws -> String
        ) {
            (self.files, self.sign) = (files, sign)
        }
    }

    private let restore: Restore
    private let server: Server

    package init(restore: Restore, server: Server) { (self.restore, self.server) = (restore, server) }

    /// Exports the account to a file. Photos that the store does not have or cannot read are named in the summary and in
    /// the archive. Others that fail are named in the summary; another run continues with them.
    /// - Throws: `LibraryExportError`, and the errors of the catalog and the server.
    package func run(
        to path: String, report: @escaping @Sendable (RestoreEvent) -> Void
    ) async throws -> ExportSummary {
        let target = try await ExportTarget.open(path)
        do {
            return try await run(target, report)
        } catch {
            // A file without a head has nothing to continue from.
            if target.file.foundLength > 0 { target.file.preserve() }
            throw error
        }
    }

    private func run(
        _ target: ExportTarget, _ report: @escaping @Sendable (RestoreEvent) -> Void
    ) async throws -> ExportSummary {
        let (plan, isResumed) = try await plan(in: target)
        let digests = MemoryDigestStore(count: plan.items.count, sign: server.sign)
        var summary = ExportSummary(
            isCatalogDamaged: plan.description.isCatalogDamaged, missingPhotos: plan.items.missingEntries(),
            resumedFrom: isResumed ? plan.description.created : nil)
        summary.photos = await writePhotos(plan, target, digests, report)
        do {
            if summary.photos.ending == .completed, summary.photos.failures.allSatisfy({ $0.failure.isDamage }) {
                try await writeEnd(plan, target, digests)
                summary.bytes = plan.size
            }
        } catch {
            target.file.preserve()
            throw error
        }
        if summary.bytes == nil { target.file.preserve() }
        return summary
    }

    /// Writes what follows the photos, and gives the file its name.
    private func writeEnd(_ plan: ExportPlan, _ target: ExportTarget, _ digests: MemoryDigestStore) async throws {
        let contents = ExportContents(user: restore.user, fillsArchived: false) { restore.store }
        let start = plan.starts[plan.items.count]
        var position = start
        try await target.work { file throws(FileError) in try file.truncate(at: start) }
        try await ExportReader(plan, contents: contents, digests: digests).read(start..<plan.size) { bytes in
            let offset = position
            try await target.work { file throws(FileError) in try file.write(bytes, at: offset) }
            position += Int64(bytes.readableBytes)
        }
        let name = target.name
        try await target.work { file throws(FileError) in try file.publish(as: name, modified: nil) }
    }

    /// Returns the layout: of the archive that an earlier run began, or of a new one, whose head is written.
    private func plan(in target: ExportTarget) async throws -> (ExportPlan, isResumed: Bool) {
        if let head = try await target.storedHead() {
            let plan = try? await ExportPlan(head: head)
            guard let plan, plan.description.account == restore.user else {
                if Task.isCancelled { throw CancellationError() }
                throw LibraryExportError.notThisExport(target.partialPath)
            }
            return (plan, true)
        }
        let files = try await server.files()
        let (catalog, isDamaged) = try await catalog()
        var stored = try await StoreDifferences(
            of: catalog, in: restore.store, user: restore.user, leavesOutArchived: false)
        for object in files.leftOut { stored.add(leftOut: object.key, size: object.size) }
        let description = ExportDescription(
            account: restore.user, created: files.createdAt, assembledBy: .device, isCatalogDamaged: isDamaged,
            signatureSize: files.signatureSize)
        let plan = try ExportPlan(
            description, files: files.files.map(ExportFile.init),
            catalog: catalog, stored: stored)
        let head = plan.head
        try await target.work { file throws(FileError) in
            try file.truncate(at: 0)
            try file.write(head, at: 0)
        }
        return (plan, false)
    }

    private func catalog() async throws(CatalogError) -> (catalog: Catalog, isDamaged: Bool) {
        do {
            return (try await restore.catalog(), false)
        } catch {
            guard error.isDamage else { throw error }
            return (Catalog(), true)
        }
    }

    private func writePhotos(
        _ plan: ExportPlan, _ target: ExportTarget, _ digests: MemoryDigestStore,
        _ report: @escaping @Sendable (RestoreEvent) -> Void
    ) async -> RestoreSummary {
        var summary = RestoreSummary()
        summary.progress.totalFiles = plan.items.count
        summary.progress.totalBytes = plan.starts[plan.items.count] - plan.headSize
        report(.started(summary.progress))
        var streak = FailureStreak(limit: restore.settings.failuresInARow)
        let refusal = ArchiveRefusal()
        await withTaskGroup(of: (ExportItem, RestoreOutcome).self) { group in
            var (next, running) = (0, 0)
            while true {
                while running < restore.settings.parallelFiles, summary.ending == .completed, !Task.isCancelled,
                    next < plan.items.count
                {
                    let step = ExportStep(
                        index: next, plan: plan, target: target, digests: digests, restore: restore,
                        refusal: refusal, report: report)
                    group.addTask { (step.item, await step.run()) }
                    (next, running) = (next + 1, running + 1)
                }
                guard let (item, outcome) = await group.next() else { break }
                running -= 1
                if Task.isCancelled, case .failed = outcome { continue }
                summary.record(item.entry, outcome, &streak)
                report(.finished(item.entry.path, outcome, summary.progress))
            }
        }
        if Task.isCancelled, summary.ending == .completed, summary.progress.finishedFiles < plan.items.count {
            summary.ending = .cancelled
        }
        if summary.ending == .completed,
            let stop = await streak.reasonToStop(asking: restore.store, user: restore.user)
        {
            summary.ending = .stopped(stop)
        }
        return summary
    }
}

/// The result of an export.
package struct ExportSummary: Sendable {
    /// The size of the archive in bytes; `nil` if it is not complete.
    package var bytes: Int64?
    /// Whether the catalog could not be read: the archive has all stored photos, without their paths.
    package let isCatalogDamaged: Bool
    /// The photos of the catalog that the store does not have.
    package let missingPhotos: [CatalogEntry]
    /// When the archive was begun, if this run continued it. It has the photos of that time.
    package let resumedFrom: Date?
    /// The photos that were written. Damaged ones are failures, and are in the archive as far as they could be read.
    package var photos = RestoreSummary()
}

/// The reason why an export did not begin or could not be completed.
package enum LibraryExportError: Error, Equatable, Sendable {
    /// The file cannot be written.
    case file(FileError)
    /// Another process exports to the same file.
    case busy
    /// The file under the temporary name is not the beginning of an export of this account.
    case notThisExport(String)
}

extension ExportFile {
    init(_ file: ExportFiles.File) {
        self.init(
            path: file.path, bytes: ByteBuffer(bytes: file.content), isExecutable: file.path == ExportPath.verifyScript)
    }
}
