import Foundation
import GRDB
import Logging
import NIOCore
import ObjectStorage
import Secrets
import Testing

@testable import DirectoryStorage

/// A temporary data folder, deleted when the test ends.
struct DirectoryFixture {
    let folder: String

    static func with(_ body: (DirectoryFixture) async throws -> Void) async throws {
        let name = Randomness.system.uuid().uuidString
        let fixture = DirectoryFixture(folder: "\(FileManager.default.temporaryDirectory.path)/photolala-store-\(name)")
        defer { try? FileManager.default.removeItem(atPath: fixture.folder) }
        try await body(fixture)
    }

    /// Opens a store on the folder. Two of them interact as two processes do.
    func open(
        reserve: StorageReserve = StorageReserve(bytes: 0), mayLackAccounts: Bool = false
    ) async throws -> DirectoryObjectStore {
        try await DirectoryObjectStore.open(
            at: URL(fileURLWithPath: folder), now: { Date(timeIntervalSince1970: 1_700_000_000.123) },
            randomness: .system, logger: Self.logger, reserve: reserve, mayLackAccounts: mayLackAccounts
        )
    }

    func openForReading(mayLackAccounts: Bool = false) async throws -> DirectoryObjectStore {
        try await DirectoryObjectStore.openForReading(
            at: URL(fileURLWithPath: folder), now: { Date(timeIntervalSince1970: 1_700_000_000) }, logger: Self.logger,
            mayLackAccounts: mayLackAccounts)
    }

    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Returns the error of opening the folder, `nil` if it opens.
    func openingFailure() async -> ObjectStoreError? {
        do {
            try await open().close()
            return nil
        } catch {
            return error as? ObjectStoreError
        }
    }

    func withStore(
        reserve: StorageReserve = StorageReserve(bytes: 0), _ body: (DirectoryObjectStore) async throws -> Void
    ) async throws {
        let store = try await open(reserve: reserve)
        do {
            try await body(store)
        } catch {
            try await store.close()
            throw error
        }
        try await store.close()
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func contents(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Returns the relative paths of the files below a folder.
    func files(below name: String = "") throws -> [String] {
        let found = try FileManager.default.subpathsOfDirectory(atPath: path(name))
        var isFolder: ObjCBool = false
        return found.filter { file in
            FileManager.default.fileExists(atPath: path("\(name)/\(file)"), isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// Changes a database as an external editor that preserves the page checksums could.
    func tamper(_ sql: String, _ arguments: StatementArguments = [], in kind: DatabaseKind = .users) throws {
        // The store may still be completing its last writes.
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        let location = try BufferedLogVFS.location(path(kind.fileName))
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF")
        }
        let database = try DatabaseQueue(path: location, configuration: configuration)
        try database.writeWithoutTransaction { db in try db.execute(sql: sql, arguments: arguments) }
        try database.close()
    }
}

/// Returns the error thrown by an operation, `nil` if there is none.
func failure<Value>(of act: () async throws(ObjectStoreError) -> Value) async -> ObjectStoreError? {
    do {
        _ = try await act()
        return nil
    } catch {
        return error
    }
}

/// `#expect` as a function: a closure that throws only inside a macro is not inferred as throwing.
func expect<Value: Equatable>(_ value: Value, is expected: Value, at location: SourceLocation = #_sourceLocation) {
    #expect(value == expected, sourceLocation: location)
}
