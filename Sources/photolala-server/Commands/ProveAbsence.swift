import AccountMaintenance
import ArgumentParser
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets
import Synchronization

/// Searches a store for traces of a deleted account.
struct ProveAbsence: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove-absence", abstract: "Search the store for traces of a deleted account.",
        discussion: """
            Searches the keys of all objects, all records of accounts and of the service, in a folder also its databases, \
            logs and staged files as bytes, and the given files. Photos, thumbnails and catalogs are searched by name only, \
            and earlier versions in a versioned bucket not at all: the receipt counts those. \
            A server may run on the store at the same time. Exit status: 0 when nothing is found, 1 otherwise; each place is \
            printed.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account's ID.")
    var account: String?

    @Option(help: ArgumentHelp("Take the account from a deletion receipt.", valueName: "file"))
    var receipt: String?

    @Option(help: ArgumentHelp("Also search for this text, such as an e-mail address. Repeatable.", valueName: "text"))
    var text: [String] = []

    @Option(help: ArgumentHelp("Also search a snapshot or another file. Repeatable.", valueName: "file"))
    var file: [String] = []

    func validate() throws {
        guard (account == nil) != (receipt == nil) else {
            throw ValidationError("Give an account ID or --receipt FILE.")
        }
        guard !text.contains(where: { $0.utf8.count < 4 }) else {
            throw ValidationError("A text to search for must have at least 4 bytes.")
        }
        if let account, UserID(account) == nil { throw ValidationError("invalid account ID: \(account)") }
    }

    func run() async throws {
        let places = Mutex(0)
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            let terms = SearchTerms(try user(), others: text)
            let report: @Sendable (String) -> Void = { place in
                places.withLock { $0 += 1 }
                print("found   \(place)")
            }
            let logger = settings.log.makeLogger("photolala.prove-absence")
            try await LiveStore.use(settings, for: .reading, logger: logger) { store in
                let objects = try await AbsenceProof(store, terms: terms).run(report: report)
                let folder = settings.store.folder.map { FolderSearch(URL(fileURLWithPath: $0.data)) }
                let own = try folder?.files() ?? []
                let given = file.map { URL(fileURLWithPath: $0) }
                for file in own where try FolderSearch.contains(file, terms, mayVanish: true) {
                    report("file \(file.path)")
                }
                for file in given where try FolderSearch.contains(file, terms, mayVanish: false) {
                    report("file \(file.path)")
                }
                let found = places.withLock { $0 }
                print(
                    "searched \(Counted.text(objects, "object")) and \(Counted.text(own.count + given.count, "file")): "
                        + (found == 0 ? "nothing found" : Counted.text(found, "place")))
            }
        }
        if places.withLock({ $0 }) > 0 { throw ExitCode.failure }
    }

    private func user() throws -> UserID {
        if let account, let user = UserID(account) { return user }
        struct Payload: Decodable { let sub: UserID }
        guard let receipt, let bytes = FileManager.default.contents(atPath: receipt) else {
            throw StartProblem("cannot read \(receipt ?? "")")
        }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ".")
        guard parts.count == 3, let json = Base64URL.decode(parts[1]),
            let payload = try? JSONDecoder().decode(Payload.self, from: json)
        else { throw StartProblem("\(receipt) is not a deletion receipt") }
        return payload.sub
    }
}

/// The files of a data folder that are searched as bytes.
struct FolderSearch {
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    /// Returns all files except those of people's objects, whose names are keys.
    func files() throws -> [URL] {
        let people = ["photos", "thumbnails", "catalogs", "users"]
        // A log before its database: a checkpoint in between moves rows from the one to the other.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !people.contains($0) }
            .sorted { $0.hasSuffix("-wal") && !$1.hasSuffix("-wal") }
        return try names.flatMap { name -> [URL] in
            let url = folder.appendingPathComponent(name)
            // An unreadable folder is an error, not an empty one.
            guard Self.type(of: url) == .typeDirectory else { return [url] }
            return try FileManager.default.subpathsOfDirectory(atPath: url.path).map(url.appendingPathComponent)
        }.filter { Self.type(of: $0) == .typeRegular }
    }

    private static func type(of url: URL) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType
    }

    /// Returns whether a file contains a term. Reads pieces of 8 MiB, which overlap by the longest term.
    /// - Parameter mayVanish: whether the file may be removed during the search, as a running server removes staged files.
    static func contains(_ file: URL, _ terms: SearchTerms, mayVanish: Bool) throws -> Bool {
        guard let handle = FileHandle(forReadingAtPath: file.path) else {
            if mayVanish, !FileManager.default.fileExists(atPath: file.path) { return false }
            throw StartProblem("cannot read \(file.path)")
        }
        defer { try? handle.close() }
        var rest = Data()
        while let piece = try handle.read(upToCount: 8 << 20), !piece.isEmpty {
            let data = rest + piece
            if terms.occur(in: data) { return true }
            rest = Data(data.suffix(terms.longest))
        }
        return false
    }
}
