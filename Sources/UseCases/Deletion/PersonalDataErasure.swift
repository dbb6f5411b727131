import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import StorageAccess
import Subscriptions

/// Counts and erases everything in `PersonalData.all` about one account, except its tombstone.
struct PersonalDataErasure: Sendable {
    let accounts: AccountDirectory
    let store: any ObjectStore
    let access: any ErasureAccess
    let providerCalls: ProviderCalls
    let subscriptions: SubscriptionRecords
    /// Whether credentials for a user's prefixes may also match other letter cases.
    let mayIgnoreCase: Bool

    /// The name, in receipts, of what is stored below the person's prefixes and is none of the known kinds.
    static let other = "other"

    /// Checks that the store lets the service list data of the account, and erase an object.
    /// - Parameter probe: a unique key, which is written and erased.
    func checkAccess(to user: UserID, probe: ObjectKey) async throws {
        _ = try await access.erasure(of: user).count(below: StorageLayout.reservations(user), except: [])
        _ = try await store.put(probe, ByteBuffer(string: "probe"), if: .always)
        try await access.erasure(of: user, keys: [probe]).erase(probe, keepingCurrent: false)
    }

    /// Counts what `eraseAll` would remove. Kinds without objects are omitted.
    func count(of tombstone: AccountDocument) async throws -> [String: ErasedObjects] {
        var counts: [String: ErasedObjects] = [:]
        func add(_ kind: String, _ count: ErasedObjects) {
            if !count.isEmpty { counts[kind, default: ErasedObjects()] += count }
        }
        let user = tombstone.serviceUserID
        let objects = try await access.erasure(of: user)
        let account = StorageLayout.account(user)
        var known = ErasedObjects()
        for kind in PersonalData.all where kind.isErased {
            for prefix in kind.prefixes(user) {
                let count = try await objects.count(below: prefix, except: [])
                if prefix.utf8.starts(with: account.utf8) { known += count }
                add(kind.name, count)
            }
        }
        add(Self.other, try await objects.count(below: account, except: [AccountDirectory.key(user)]) - known)
        if mayIgnoreCase {
            for prefix in StorageLayout.userPrefixes(user) {
                add(Self.other, try await CaseVariants(of: prefix, in: store).count())
            }
        }
        for (key, _) in try await accounts.ownBindings(of: tombstone) { add(key.kind, ErasedObjects(objects: 1)) }
        for id in subscriptionIDs(of: tombstone) where try await names(user, in: id) {
            add("subscriptions", ErasedObjects(objects: 1))
        }
        add("provider_calls", ErasedObjects(objects: try await providerCalls.keys(of: user).count))
        add("team_transfers", ErasedObjects(objects: try await accounts.transferKeys(of: tombstone).count))
        let versioned = sharedKeys(of: tombstone)
        let single = try await access.erasure(of: user, keys: versioned)
        for key in versioned { add(key.kind, try await single.count(key, keepingCurrent: true)) }
        return counts
    }

    /// Erases some kinds of personal data that have prefixes of their own; `other` includes all of the account's records.
    func erase(_ kinds: Set<String>, of user: UserID) async throws {
        let objects = try await access.erasure(of: user)
        for kind in PersonalData.all where kind.isErased && kinds.contains(kind.name) {
            for prefix in kind.prefixes(user) { try await objects.erase(below: prefix, except: []) }
        }
        if kinds.contains(Self.other) {
            try await objects.erase(below: StorageLayout.account(user), except: [AccountDirectory.key(user)])
        }
    }

    /// Erases all personal data except the tombstone.
    /// - Parameter blocked: the kinds that must stay for now.
    func eraseAll(of tombstone: AccountDocument, except blocked: Set<String>) async throws {
        let user = tombstone.serviceUserID
        try await erase(Set(PersonalData.all.map(\.name) + [Self.other]).subtracting(blocked), of: user)
        if mayIgnoreCase {
            let objects = try await access.erasure(of: user)
            for prefix in StorageLayout.userPrefixes(user) {
                try await CaseVariants(of: prefix, in: store).erase(with: objects)
            }
        }
        try await accounts.removeBindings(of: tombstone)
        for id in subscriptionIDs(of: tombstone) where try await names(user, in: id) {
            try await subscriptions.removeAccount(user, from: id)
        }
        let deleted = try await providerCalls.keys(of: user) + accounts.transferKeys(of: tombstone)
        let shared = sharedKeys(of: tombstone)
        let single = try await access.erasure(of: user, keys: deleted + shared)
        for key in deleted { try await single.erase(key, keepingCurrent: false) }
        for key in shared { try await single.erase(key, keepingCurrent: true) }
        try await access.eraseDeletedData(of: user)
    }

    /// Erases what is left of the account document and the deletion record, which name the account. The record is erased
    /// last: it makes a job continue.
    func eraseRecords(of user: UserID) async throws {
        let objects = try await access.erasure(of: user)
        try await objects.erase(below: StorageLayout.account(user), except: [])
        try await access.eraseDeletedData(of: user)
        try await objects.erase(ObjectKey(known: StorageLayout.deletion(user)), keepingCurrent: false)
        // The log's last pages name the record; if this fails, the next erasure does it.
        try await access.eraseDeletedData(of: user)
    }

    /// The keys whose objects may belong to another account, or stay without the account; on a versioned bucket their
    /// earlier versions name it.
    private func sharedKeys(of tombstone: AccountDocument) -> [ObjectKey] {
        accounts.bindingKeys(of: tombstone) + subscriptionIDs(of: tombstone).map(SubscriptionRecords.key)
    }

    /// Returns whether a subscription's record names the account; `false` for an unreadable record.
    private func names(_ user: UserID, in id: SubscriptionID) async throws -> Bool {
        do {
            return try await subscriptions.record(id)?.names(user) == true
        } catch let error {
            if case .store(.corrupted) = error { return false }
            throw error
        }
    }

    private func subscriptionIDs(of tombstone: AccountDocument) -> [SubscriptionID] {
        (tombstone.subscriptions ?? []).compactMap(\.record)
    }
}

extension ObjectKey {
    /// The kind of a binding, hint or subscription record.
    fileprivate var kind: String {
        let text = description.utf8
        if text.starts(with: StorageLayout.emailHint("").utf8) { return "email_hints" }
        return text.starts(with: StorageLayout.identities.utf8) ? "identities" : "subscriptions"
    }
}
