import Accounts
import ObjectStorage
import PhotolalaAPI

/// The objects in a snapshot, and the order in which they are read.
///
/// Identity bindings come before accounts: an account is written before its binding, so every binding in the snapshot
/// has its account.
enum SnapshotScope {
    static let prefixes = [StorageLayout.service, StorageLayout.identities, StorageLayout.accounts]

    static func contains(_ key: ObjectKey) -> Bool {
        guard prefixes.contains(where: { key.hasPrefix($0) }) else { return false }
        // The list caches object tags, which are not valid in another store.
        if let user = user(of: key), key.description == StorageLayout.deviceList(user) { return false }
        return !StorageLayout.outsideSnapshots.contains { key.hasPrefix($0) }
    }

    /// The kinds of objects that a snapshot distinguishes.
    enum Kind {
        case binding
        case hint
        case account
        case manifest
        case other
    }

    static func kind(of key: ObjectKey) -> Kind {
        if key.hasPrefix(StorageLayout.emailHint("")) { return .hint }
        if key.hasPrefix(StorageLayout.identities) { return .binding }
        if let user = user(of: key), key == AccountDirectory.key(user) { return .account }
        return key.description == StorageLayout.storeManifest ? .manifest : .other
    }

    /// Returns the account to which an object belongs.
    static func user(of key: ObjectKey) -> UserID? {
        guard key.hasPrefix(StorageLayout.accounts) else { return nil }
        return UserID(String(key.description.dropFirst(StorageLayout.accounts.count).prefix { $0 != "/" }))
    }
}

extension ObjectKey {
    /// Compares bytes, because Swift treats canonically equivalent strings as equal.
    func hasPrefix(_ prefix: String) -> Bool { description.utf8.starts(with: prefix.utf8) }
}

/// Runs an operation for all items concurrently and returns the results in item order.
func mapConcurrently<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) async throws(SnapshotError) -> Value
) async throws(SnapshotError) -> [Value] {
    let results = await withTaskGroup(of: (index: Int, result: Result<Value, SnapshotError>).self) { group in
        for (index, item) in items.enumerated() {
            group.addTask {
                do throws(SnapshotError) {
                    return (index, .success(try await body(item)))
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
