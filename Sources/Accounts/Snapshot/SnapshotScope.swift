import ObjectStorage
import PhotolalaAPI

/// Which objects a snapshot holds, and in which order they are read.
///
/// Claims come before accounts: an account is written before its claim, so a claim of the snapshot never points at
/// nothing.
enum SnapshotScope {
    static let prefixes = [StorageLayout.service, StorageLayout.identities, StorageLayout.accounts]

    static func contains(_ key: ObjectKey) -> Bool {
        guard prefixes.contains(where: { key.begins($0) }) else { return false }
        // A cache of tags that another store may give to other bytes.
        if let user = user(of: key), key.description == StorageLayout.deviceList(user) { return false }
        return !StorageLayout.outsideSnapshots.contains { key.begins($0) }
    }

    /// What an object is, where a snapshot has to know.
    enum Kind {
        case claim
        case hint
        case account
        case stamp
        case other
    }

    static func kind(of key: ObjectKey) -> Kind {
        if key.begins(StorageLayout.emailHint("")) { return .hint }
        if key.begins(StorageLayout.identities) { return .claim }
        if let user = user(of: key), key == AccountDirectory.key(user) { return .account }
        return key.description == StorageLayout.storeStamp ? .stamp : .other
    }

    /// Whose account's object it is.
    static func user(of key: ObjectKey) -> UserID? {
        guard key.begins(StorageLayout.accounts) else { return nil }
        return UserID(String(key.description.dropFirst(StorageLayout.accounts.count).prefix { $0 != "/" }))
    }
}

extension ObjectKey {
    /// Bytes, not characters: Swift would take two spellings of one letter for equal.
    func begins(_ prefix: String) -> Bool { description.utf8.starts(with: prefix.utf8) }
}

/// Does something for each item at the same time and gives the results in the items' order.
func inOrder<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ act: @escaping @Sendable (Item) async throws(SnapshotError) -> Value
) async throws(SnapshotError) -> [Value] {
    let results = await withTaskGroup(of: (index: Int, result: Result<Value, SnapshotError>).self) { group in
        for (index, item) in items.enumerated() {
            group.addTask {
                do throws(SnapshotError) {
                    return (index, .success(try await act(item)))
                } catch {
                    return (index, .failure(error))
                }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
    var values: [Value] = []
    for (_, result) in results.sorted(by: { $0.index < $1.index }) { values.append(try result.get()) }
    return values
}
