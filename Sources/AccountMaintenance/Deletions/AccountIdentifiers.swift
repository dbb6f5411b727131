import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI

/// The identifiers under which a store may mention an account. The store knows them only while the account exists; after
/// its deletion they are known from an export that was made before.
package struct AccountIdentifiers: Sendable, Equatable {
    package let user: UserID
    package private(set) var links: Set<LinkID> = []
    package private(set) var devices: Set<DeviceID> = []
    /// The keys of identity bindings.
    package private(set) var bindingKeys: Set<String> = []
    /// The keyed hashes of e-mail addresses, which name hints.
    package private(set) var hints: Set<String> = []
    /// The providers' ids of the person.
    package private(set) var subjects: Set<String> = []
    package private(set) var emails: Set<String> = []

    /// Whether more than the account ID is known: every account has a link.
    package var isComplete: Bool { !links.isEmpty }

    /// The number of providers' ids that are too short to be searched: they would occur by chance.
    package var shortSubjects: Int { subjects.count { $0.utf8.count < SearchTerms.minimumLength } }

    package init(_ user: UserID) { self.user = user }

    /// Adds what the store knows, including links and devices that only the audit log names. Changes nothing if the account
    /// does not exist. A read for each audit entry.
    package mutating func addStored(in accounts: AccountDirectory) async throws {
        guard let account = try await accounts.account(user)?.value else { return }
        for link in account.links {
            links.insert(link.id)
            bindingKeys.formUnion(link.bindingKeys.keys.map(\.description))
            devices.formUnion([link.device].compactMap(\.self))
            hints.formUnion([link.emailHint].compactMap(\.self))
            subjects.formUnion([accounts.subject(of: link, user: user)].compactMap(\.self))
            emails.formUnion([accounts.email(of: link, user: user)].compactMap(\.self))
        }
        let prefix = StorageLayout.devices(user)
        var after: String?
        repeat {
            let page = try await accounts.documents.store.list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects {
                let name = object.key.description.dropFirst(prefix.count).prefix { $0 != "." }
                if let device = DeviceID(String(name)) { devices.insert(device) }
            }
            after = page.isTruncated ? page.objects.last?.key.description : nil
        } while after != nil
        var entries: [AuditEntry] = []
        try await accounts.walkHistory(of: account) { position in
            if let entry = position.entry { entries.append(entry) }
        }
        add(entries)
    }

    /// Reads the identifiers from an export of the account. Binding keys are those under which this store would bind its
    /// identities now.
    /// - Throws: `ExportedAccountFiles.Failure` if the file is no export that this store signed.
    package init(export url: URL, in accounts: AccountDirectory) async throws {
        let files = try await ExportedAccountFiles(url, signedBy: accounts.erasureKey)
        let exported = try files.account()
        self.init(exported.account.serviceUserID)
        let resolver = try await accounts.manifestCache.resolver()
        for identity in exported.identities {
            links.insert(identity.id)
            devices.formUnion([identity.linkedByDevice].compactMap(\.self))
            hints.formUnion([identity.emailHint].compactMap(\.self))
            guard let subject = identity.subject else { continue }
            subjects.insert(subject)
            bindingKeys.formUnion(try resolver.bothKeys(identity.provider, subject).keys.map(\.description))
        }
        emails.formUnion(exported.account.linkedProviders.compactMap(\.email))
        devices.formUnion(try files.devices())
        add(try files.auditEntries())
    }

    private mutating func add(_ entries: [AuditEntry]) {
        for entry in entries {
            links.formUnion([entry.link].compactMap(\.self))
            devices.formUnion([entry.device, entry.target].compactMap(\.self))
        }
    }

    /// Adds the identifiers of the same account from another source.
    package mutating func formUnion(_ other: AccountIdentifiers) {
        links.formUnion(other.links)
        devices.formUnion(other.devices)
        bindingKeys.formUnion(other.bindingKeys)
        hints.formUnion(other.hints)
        subjects.formUnion(other.subjects)
        emails.formUnion(other.emails)
    }
}
