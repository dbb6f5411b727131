import Accounts
import PhotolalaAPI

/// A profile with its entity tag for conditional replacement.
package struct TaggedProfile: Sendable {
    package let profile: Profile
    package let etag: String
}

extension Services {
    /// Returns the caller's profile, or a profile with the name from the sign-up if none was written.
    /// - Throws: `notFound` for another account, `profileUnreadable`.
    package func profile(_ id: UserID, caller: Caller) async throws(ServiceError) -> TaggedProfile {
        guard id == caller.user else { throw .notFound }
        let found = try await mapServiceErrors { try await profiles.load(id) }
        let given = { Profile(displayName: accounts.name(of: caller.account.value)) }
        return TaggedProfile(profile: found?.profile ?? given(), etag: (found?.etag ?? Profiles.unwritten).description)
    }

    /// Replaces the caller's profile.
    package func replaceProfile(
        _ id: UserID, with profile: Profile, if condition: ProfileCondition, caller: Caller
    ) async throws(ServiceError) -> TaggedProfile {
        guard id == caller.user else { throw .notFound }
        let etag = try await mapServiceErrors { try await profiles.replace(profile, for: id, if: condition) }
        return TaggedProfile(profile: profile, etag: etag.description)
    }
}
