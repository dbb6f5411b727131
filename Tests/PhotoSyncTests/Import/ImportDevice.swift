import ForeignExports
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// A device with exports of a photo service.
struct ImportDevice {
    let folder: TemporaryFolder
    let store: FakeObjectStore
    let service: ForeignService

    init(_ service: ForeignService, fault: @escaping FakeObjectStore.Fault = { _, _ in nil }) throws {
        store = FakeObjectStore(fault: fault)
        folder = try TemporaryFolder()
        self.service = service
    }

    /// Writes an archive.
    func write(_ name: String, _ build: (inout ZipBuilder) -> Void) throws {
        var builder = ZipBuilder()
        build(&builder)
        try folder.write(name, builder.bytes())
    }

    /// Imports archives and folders into the folder `G` of the library.
    func run(
        _ names: [String], as service: ForeignService? = nil, isDryRun: Bool = false, state: String = "state",
        report: @escaping @Sendable (BackupEvent) -> Void = { _ in }
    ) async throws -> ForeignImportSummary {
        var settings = BackupSettings()
        settings.failuresInARow = 100
        let backup = Backup(
            store: store, user: .bob, stateFolder: folder.subpath(state), settings: settings, pause: .none,
            now: { Date(timeIntervalSince1970: 2_000_000_000) })
        let options = ForeignExportOptions(destination: LibraryPath(known: "G"))
        return try await ForeignImporter(service ?? self.service, backup, options: options).run(
            names.map(folder.subpath), isDryRun: isDryRun, report: report)
    }

    /// Returns the reason why files are not imported.
    func error(_ names: [String], as service: ForeignService? = nil) async -> ForeignExportError? {
        do { _ = try await run(names, as: service, isDryRun: true) } catch let error as ForeignExportError {
            return error
        } catch {}
        return nil
    }

    var catalogs: CatalogStore { CatalogStore(store: store, user: .bob, pause: .none) }

    func entries() async throws -> [String: CatalogEntry] {
        let catalog = try await catalogs.load().catalog
        return Dictionary(
            uniqueKeysWithValues: catalog.entries.map { ($0.path.description, $0) })
    }
}
