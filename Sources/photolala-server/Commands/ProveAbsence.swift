import AccountMaintenance
import Accounts
import ArgumentParser
import Foundation
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import Synchronization

/// Searches a store for traces of a deleted account.
struct ProveAbsence: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove-absence", abstract: "Search the store for traces of a deleted account.",
        discussion: """
            Searches for the account's ID and for the IDs of its links and devices, binding keys, e-mail hints, provider IDs \
            and e-mail addresses. After a deletion the store no longer has these: give --export with an export that \
            photolala export or account export made before. It must be signed by this store. A device or identity that was \
            used for another account since is found, too.

            Searches object keys, account and service records, and the given files; in a data folder also the names and \
            bytes of databases, logs and staged files. Follows symbolic links. Photos, thumbnails and catalogs are searched \
            by name only, and earlier versions in a versioned bucket not at all: the receipt counts those. A server may run \
            on the store at the same time. Exit status: 0 if nothing is found; 1 if something is, with each place printed; \
            3 if nothing is found, but only the account's ID was known, or a symbolic link is broken.
            """
    )

    @OptionGroup var options: SettingsOptions

    @Argument(help: "The account's ID.")
    var account: String?

    @Option(help: ArgumentHelp("Take the account from a deletion receipt of this store.", valueName: "file"))
    var receipt: String?

    @Option(help: ArgumentHelp("Take the identifiers from an export of the account.", valueName: "file"))
    var export: String?

    @Option(help: ArgumentHelp("Also search for this text, such as a name. Repeatable.", valueName: "text"))
    var text: [String] = []

    @Option(help: ArgumentHelp("Also search a snapshot, another file or a folder. Repeatable.", valueName: "path"))
    var file: [String] = []

    func validate() throws {
        guard account != nil || receipt != nil || export != nil else {
            throw ValidationError("Give an account ID, --receipt FILE or --export FILE.")
        }
        guard !text.contains(where: { $0.utf8.count < SearchTerms.minimumLength }) else {
            throw ValidationError("A text to search for must have at least \(SearchTerms.minimumLength) bytes.")
        }
        if let account, UserID(account) == nil { throw ValidationError("invalid account ID: \(account)") }
    }

    func run() async throws {
        let places = Mutex(0)
        var isComplete = false
        var brokenLinks: [String] = []
        var shortSubjects = 0
        try await ExitStatus.reporting {
            let settings = try options.read()
            try LiveStore.requireStore(settings)
            if let path = file.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
                throw StartProblem("\(path) does not exist")
            }
            let logger = settings.log.makeLogger("photolala.prove-absence")
            try await LiveStore.use(settings, for: .reading, logger: logger) { store in
                let identifiers = try await identifiers(try await LiveStore.accounts(store, settings))
                isComplete = identifiers.isComplete
                shortSubjects = identifiers.shortSubjects
                print(identifiers.summary)
                let terms = SearchTerms(identifiers, texts: text)
                let report: @Sendable (String, [SearchTerms.Kind]) -> Void = { place, kinds in
                    places.withLock { $0 += 1 }
                    print("found   \(place) (\(kinds.map(\.rawValue).joined(separator: ", ")))")
                }
                let objects = try await AbsenceProof(store, terms: terms).run(report: report)
                var search = FileSearch(terms, report: report)
                if let folder = settings.store.folder { try search.searchData(of: folder.data) }
                for path in file { try search.searchFile(path) }
                brokenLinks = search.brokenLinks
                let found = places.withLock { $0 }
                print(
                    "searched \(Counted.text(objects, "object")) and \(Counted.text(search.files, "file")): "
                        + (found == 0 ? "nothing found" : Counted.text(found, "place")))
            }
        }
        if places.withLock({ $0 }) > 0 { throw ExitCode.failure }
        guard brokenLinks.isEmpty else {
            for path in brokenLinks { print("not searched: \(path) links to nothing") }
            throw ExitStatus.incomplete
        }
        guard shortSubjects == 0 else {
            print("proves nothing about \(Counted.text(shortSubjects, "provider ID")) of fewer than 4 bytes")
            throw ExitStatus.incomplete
        }
        guard isComplete else {
            print(
                "proves nothing about links, devices, binding keys and hints: the account does not exist, so they are not "
                    + "known. Give an export of the account with --export")
            throw ExitStatus.incomplete
        }
    }

    /// Returns the identifiers that the sources and the store know. All sources must name the same account.
    private func identifiers(_ accounts: AccountDirectory) async throws -> AccountIdentifiers {
        var users: [(source: String, user: UserID)] = []
        if let account, let user = UserID(account) { users.append(("the argument", user)) }
        if let receipt { users.append((receipt, try await user(of: receipt, accounts))) }
        var exported: AccountIdentifiers?
        if let export {
            do {
                try InputFile.requireRegular(export)
                let found = try await AccountIdentifiers(export: URL(fileURLWithPath: export), in: accounts)
                users.append((export, found.user))
                exported = found
            } catch let failure as ExportedAccountFiles.Failure {
                throw StartProblem("\(export) \(failure)")
            }
        }
        guard let first = users.first else { throw StartProblem("no account is given") }
        if let other = users.first(where: { $0.user != first.user }) {
            throw StartProblem(
                "\(first.source) names account \(first.user), \(other.source) names account \(other.user)")
        }
        var identifiers = AccountIdentifiers(first.user)
        if let exported { identifiers.formUnion(exported) }
        try await identifiers.addStored(in: accounts)
        return identifiers
    }

    /// The maximum length of a receipt, in bytes.
    private static let receiptLimit = 64 << 10

    private func user(of receipt: String, _ accounts: AccountDirectory) async throws -> UserID {
        struct Payload: Decodable { let sub: UserID }
        let bytes = try InputFile.bytes(of: receipt, limit: Self.receiptLimit)
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let json = try await accounts.erasureKey.verify(token) else {
            throw StartProblem("\(receipt) is not a deletion receipt signed by this store's erasure key")
        }
        guard let payload = try? JSONDecoder().decode(Payload.self, from: json) else {
            throw StartProblem("\(receipt) names no account")
        }
        return payload.sub
    }
}

extension AccountIdentifiers {
    /// The numbers of identifiers that are searched.
    fileprivate var summary: String {
        let counts = [
            Counted.text(links.count, "link"), Counted.text(devices.count, "device"),
            Counted.text(bindingKeys.count, "binding key"), Counted.text(hints.count, "hint"),
            Counted.text(subjects.count, "provider ID"),
            Counted.text(emails.count, "e-mail address", plural: "e-mail addresses"),
        ]
        return "account \(user)" + (isComplete ? ": \(counts.joined(separator: ", "))" : "")
    }
}
