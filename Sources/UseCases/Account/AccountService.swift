import Accounts
import PhotolalaAPI
import Sessions
import StorageAccess

/// A profile with its entity tag for conditional replacement.
package struct TaggedProfile: Sendable {
    package let profile: Profile
    package let etag: String
}

/// Shows accounts, profiles and audit logs to their owners.
package struct AccountService: Sendable {
    let accounts: AccountDirectory
    let profiles: Profiles
    let pictures: ProfilePictures
    let sessions: SessionIssuer
    let usage: UsageCounts
    let deviceList: DeviceList
    let presenter: AccountPresenter
    let sensitiveActions: SensitiveActionPolicy

    /// Returns the caller's account with the display name and the last usage count.
    /// - Throws: `notFound` for another account.
    package func user(_ id: UserID, caller: Caller) async throws(ServiceError) -> User {
        guard id == caller.user else { throw .notFound }
        return try await mapServiceErrors { () async throws -> User in
            let store = accounts.documents.store
            let ((name, usage), lastUsed) = try await store.both(
                {
                    try await store.both(
                        { try await displayName(of: caller.account.value) }, { try await self.usage.last(of: id) })
                },
                { try await presenter.lastUsed(by: id) })
            return try presenter.show(caller.account.value, lastUsed: lastUsed, displayName: name, usage: usage)
        }
    }

    /// Returns the identities linked to the caller's account.
    package func linkedAccounts(_ caller: Caller) async throws(ServiceError) -> LinkedProviders {
        try await presenter.linkedProviders(of: caller.account.value)
    }

    /// Returns the email address of the caller's primary identity; `nil` if it has none. No request.
    package func email(of caller: Caller) -> String? {
        let account = caller.account.value
        return account.links.first { $0.id == account.primaryLinkID }
            .flatMap { accounts.email(of: $0, user: account.serviceUserID) }
    }

    /// Returns the profile's name, or the name from the sign-up if there is no profile. An unreadable profile must not
    /// hide the account.
    private func displayName(of account: AccountDocument) async throws(ProfileError) -> String? {
        do {
            guard let found = try await profiles.load(account.serviceUserID) else { return accounts.name(of: account) }
            return found.profile.displayName
        } catch .unreadable {
            return nil
        }
    }

    /// Returns the caller's profile, or a profile with the name from the sign-up if none was written.
    /// - Throws: `notFound` for another account, `profileUnreadable`.
    package func profile(_ id: UserID, caller: Caller) async throws(ServiceError) -> TaggedProfile {
        guard id == caller.user else { throw .notFound }
        let found = try await mapServiceErrors { try await profiles.load(id) }
        let given = { Profile(displayName: accounts.name(of: caller.account.value)) }
        return TaggedProfile(profile: found?.profile ?? given(), etag: (found?.etag ?? Profiles.unwritten).description)
    }

    /// Replaces the caller's profile.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func replaceProfile(
        _ id: UserID, with profile: Profile, if condition: ProfileCondition, caller: Caller
    ) async throws(ServiceError) -> TaggedProfile {
        guard id == caller.user else { throw .notFound }
        guard caller.account.value.state != .deleting else { throw .storageReadOnly }
        let etag = try await mapServiceErrors {
            try await usage.recordChange(of: id)
            return try await profiles.replace(profile, for: id, if: condition)
        }
        return TaggedProfile(profile: profile, etag: etag.description)
    }
}
