import Accounts
import PhotolalaAPI

/// A profile with the tag that a conditional replacement names.
package struct TaggedProfile: Sendable {
    package let profile: Profile
    /// `nil` while there is no profile object.
    package let etag: String?
}

extension Services {
    /// The caller's profile; an empty one before the first was written. Another's is not found.
    /// - Throws: `profileUnreadable`.
    package func profile(_ id: UserID, caller: Caller) async throws(FlowError) -> TaggedProfile {
        guard id == caller.user else { throw .notFound }
        let found = try await step { try await profiles.load(id) }
        return TaggedProfile(profile: found?.profile ?? Profile(), etag: found?.etag.description)
    }

    /// Replaces the caller's profile.
    package func replaceProfile(
        _ id: UserID, with profile: Profile, if condition: ProfileCondition, caller: Caller
    ) async throws(FlowError) -> TaggedProfile {
        guard id == caller.user else { throw .notFound }
        let etag = try await step { try await profiles.replace(profile, for: id, if: condition) }
        return TaggedProfile(profile: profile, etag: etag.description)
    }
}
