import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// The state that a device stores of a source between backups: the path of each resource and the source's change token.
/// If it is lost, the next backup lists all assets and computes the paths again.
struct AssetIndex: Sendable {
    /// A resource, as of the last listing.
    struct Item: Sendable, Equatable {
        let asset: String
        let resource: String
        let modified: Timestamp
    }

    private(set) var items: [LibraryPath: Item] = [:]
    /// The paths of each asset's resources.
    private(set) var paths: [String: [String: LibraryPath]] = [:]
    /// Resources that the source had and that the last listing did not find, as far as removals are synced.
    var missing: [LibraryPath: MissingResource] = [:]
    /// The assets that have a mark, and those whose change is not in the library yet.
    var marks: [AssetMark.Kind: [String: AssetMark]] = [:]
    var token: [UInt8]?

    /// Adds a resource.
    /// - Returns: Whether the path was free.
    mutating func add(_ path: LibraryPath, _ item: Item) -> Bool {
        guard items[path] == nil else { return false }
        items[path] = item
        paths[item.asset, default: [:]][item.resource] = path
        return true
    }

    /// Returns the rows that lead from an earlier state to this one. The token is last: it is valid only if everything
    /// before it was stored.
    func rows(since earlier: AssetIndex) -> [AssetRow] {
        var rows = earlier.items.keys.filter { items[$0] == nil }.map { AssetRow.removed($0) }
        rows += items.filter { earlier.items[$0.key] != $0.value }.map { .item($0.key, $0.value) }
        rows += earlier.missing.keys.filter { missing[$0] == nil }.map { .found($0) }
        rows += missing.filter { earlier.missing[$0.key] != $0.value }.map { .missing($0.key, $0.value) }
        for kind in AssetMark.Kind.allCases {
            let (marks, earlier) = (marks[kind] ?? [:], earlier.marks[kind] ?? [:])
            rows += earlier.keys.filter { marks[$0] == nil }.map { .mark(kind, $0, nil) }
            rows += marks.filter { earlier[$0.key] != $0.value }.map { .mark(kind, $0.key, $0.value) }
        }
        // Without a token the next backup lists all assets.
        if !rows.isEmpty || token != earlier.token { rows.append(.token(token)) }
        return rows
    }

    /// All rows.
    var rows: [AssetRow] { rows(since: AssetIndex()) }

    init() {}

    init(_ rows: [AssetRow]) {
        var items: [LibraryPath: Item] = [:]
        for row in rows {
            switch row {
            case .item(let path, let item): items[path] = item
            case .removed(let path): items[path] = nil
            case .missing(let path, let resource): missing[path] = resource
            case .found(let path): missing[path] = nil
            case .mark(let kind, let asset, let mark): marks[kind, default: [:]][asset] = mark
            case .token(let read): token = read
            }
        }
        for (path, item) in items { _ = add(path, item) }
    }

    /// Returns the path of the state file for one user's backup of one source.
    static func path(in stateFolder: String, user: UserID, source: String) -> String {
        let name = ContentDigest(of: ByteBuffer(string: "\(user)\n\(source)"))
        return "\(stateFolder)/source-\(name).index"
    }
}

/// One line of a stored index.
enum AssetRow: Sendable, Equatable {
    case item(LibraryPath, AssetIndex.Item)
    case removed(LibraryPath)
    case missing(LibraryPath, MissingResource)
    /// A resource is missing no longer, or is not remembered any more.
    case found(LibraryPath)
    /// `nil` if nothing is remembered of the asset any more.
    case mark(AssetMark.Kind, String, AssetMark?)
    case token([UInt8]?)

    /// The line with its terminator.
    var line: [UInt8] {
        switch self {
        case .item(let path, let item):
            JournalRow.line(of: [
                "item", JournalRow.escaped(path.description), JournalRow.escaped(item.asset),
                JournalRow.escaped(item.resource), item.modified.description,
            ])
        case .removed(let path): JournalRow.line(of: ["removed", JournalRow.escaped(path.description)])
        case .missing(let path, let missing):
            JournalRow.line(of: [
                "missing", JournalRow.escaped(path.description), JournalRow.escaped(missing.asset),
                missing.md5.description, missing.isRemoved ? "removed" : "", missing.trashed.map { String($0) } ?? "",
            ])
        case .found(let path): JournalRow.line(of: ["found", JournalRow.escaped(path.description)])
        case .mark(let kind, let asset, let mark):
            JournalRow.line(of: [
                kind.rawValue, JournalRow.escaped(asset), mark.map { $0.isSet ? "1" : "0" } ?? "-", mark?.synced ?? "",
            ])
        case .token(let token): JournalRow.line(of: ["token", token.map { Data($0).base64EncodedString() } ?? "-"])
        }
    }

    /// Parses a line; returns `nil` if it is incomplete.
    init?(line: some Collection<UInt8>) {
        guard let fields = JournalRow.fields(of: line), let kind = fields.first else { return nil }
        switch (kind, fields.count) {
        case ("item", 5):
            guard let path = LibraryPath(JournalRow.unescaped(fields[1])), let modified = Timestamp(fields[4]) else {
                return nil
            }
            let (asset, resource) = (JournalRow.unescaped(fields[2]), JournalRow.unescaped(fields[3]))
            self = .item(path, AssetIndex.Item(asset: asset, resource: resource, modified: modified))
        case ("removed", 2), ("found", 2):
            guard let path = LibraryPath(JournalRow.unescaped(fields[1])) else { return nil }
            self = kind == "found" ? .found(path) : .removed(path)
        case ("missing", 6):
            guard let path = LibraryPath(JournalRow.unescaped(fields[1])), let md5 = ContentDigest(fields[3]) else {
                return nil
            }
            self = .missing(
                path,
                MissingResource(
                    asset: JournalRow.unescaped(fields[2]), md5: md5, isRemoved: fields[4] == "removed",
                    trashed: Int(fields[5])))
        case ("token", 2):
            self = .token(Data(base64Encoded: fields[1]).map { Array($0) })
        default:
            guard let kind = AssetMark.Kind(rawValue: kind), fields.count == 4 else { return nil }
            let mark = AssetMark(isSet: fields[2] == "1", synced: fields[3])
            self = .mark(kind, JournalRow.unescaped(fields[1]), fields[2] == "-" ? nil : mark)
        }
    }
}
