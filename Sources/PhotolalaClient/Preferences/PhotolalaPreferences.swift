import Foundation
import PhotolalaAPI

/// The user's preferences: set on any device, online or offline, and merged through the account.
///
/// ```swift
/// let preferences = PhotolalaPreferences(session: session, profile: profile)
/// try await preferences.set("uploadQuality", to: .text("high"))
/// let result = try await preferences.synchronize()
/// if result.overruled.contains("uploadQuality") { print("changed on another device") }
/// let quality = try await preferences.value(of: "uploadQuality")
/// ```
///
/// The names are defined by the app (`uploadQuality`, `autoBackup`, …). Preferences for all devices are written to the
/// profile by the next ``synchronize()``. If two devices set the same name, the one that had seen the later state wins;
/// no clock is involved. Before the first sign-in, preferences are stored on this device; the first account that signs
/// in adopts them.
public struct PhotolalaPreferences: Sendable {
    /// The maximum number of characters in a name.
    public static let nameLimit = 100
    /// The maximum number of characters in a text.
    public static let textLimit = 10_000
    /// The maximum number of preferences for all devices.
    public static let countLimit = 100

    private let session: PhotolalaSession
    private let profile: ProfileDirectory

    /// Creates the preferences of the session's account.
    public init(session: PhotolalaSession, profile: ProfileDirectory) {
        self.session = session
        self.profile = profile
    }

    /// Returns the effective preferences on this device, ordered by name. Makes no network request.
    /// - Throws: `localStorageFailed`.
    public func all() async throws(PhotolalaError) -> [Preference] {
        try profile.preferences(of: try await session.signedInUserID()).all
    }

    /// Returns the effective value on this device. Makes no network request.
    /// - Throws: `localStorageFailed`.
    public func value(of name: String) async throws(PhotolalaError) -> PreferenceValue? {
        try await all().first { $0.name == name }?.value
    }

    /// Sets a preference. Makes no network request: call ``synchronize()`` first if possible, so that earlier changes
    /// by other devices are known and this one supersedes them.
    /// - Parameters:
    ///   - name: The name, 1 to 100 characters.
    ///   - value: The value; a text has at most 10,000 characters. `nil` removes the preference.
    ///   - scope: The devices to which the value applies; by default, the scope of the effective value or, if there is
    ///     none, the usual scope of the name.
    /// - Throws: `invalidRequest` for a name or text that is too long or too many preferences, `localStorageFailed`.
    public func set(
        _ name: String, to value: PreferenceValue?, for scope: PreferenceScope? = nil
    ) async throws(PhotolalaError) {
        guard (1...Self.nameLimit).contains(name.unicodeScalars.count) else {
            throw Self.refusal("A preference name must have 1 to \(Self.nameLimit) characters.")
        }
        if case .text(let text) = value, text.unicodeScalars.count > Self.textLimit {
            throw Self.refusal("A preference text can have at most \(Self.textLimit) characters.")
        }
        let user = try await session.signedInUserID()
        let device = try await session.catalogTag()
        let isSet = try profile.changePreferences(of: user) { stored in
            var changed = stored
            changed.set(name, to: value, for: scope, by: device)
            guard value == nil || changed.sharedCount <= Self.countLimit else { return false }
            stored = changed
            return true
        }
        guard isSet else { throw Self.refusal("An account can have at most \(Self.countLimit) preferences.") }
    }

    private static func refusal(_ detail: String) -> PhotolalaError {
        PhotolalaError(code: .invalidRequest, detail: detail)
    }

    /// Merges the local changes with the account's preferences, in both directions. If the profile cannot be reached,
    /// all changes keep waiting.
    /// - Throws: `notSignedIn`, `invalidRequest` if the account would have more than 100 preferences,
    ///   `profileUnreadable`.
    public func synchronize() async throws(PhotolalaError) -> PreferenceSynchronization {
        guard let user = try await session.signedInUserID() else { throw .notSignedIn }
        for _ in 1...Self.attempts {
            let stored = try profile.preferences(of: user)
            let found = try await session.profile(of: user)
            guard let version = found.version else {
                throw PhotolalaError(code: .notPhotolala, detail: "The response contains no profile version.")
            }
            let received = PreferenceRegisters(of: found.profile, after: stored.seen)
            let merged = received.joined(with: stored.waiting)
            var wanted = found.profile
            merged.write(to: &wanted)
            if wanted != found.profile {
                do throws(PhotolalaError) {
                    try await session.replaceProfile(of: user, with: wanted, ifStill: version)
                } catch  where error.code == .concurrentModification {
                    continue
                } catch  where error.code == .invalidRequest {
                    // Changes that do not fit keep waiting and do not block changes from other devices.
                    _ = try profile.changePreferences(of: user) {
                        $0.reconcile(received, onto: stored.seen, sent: PreferenceRegisters())
                    }
                    throw error
                } catch { throw error }
            }
            let result = try profile.changePreferences(of: user) {
                $0.reconcile(merged, onto: stored.seen, sent: stored.waiting)
            }
            if let result { return result }
        }
        throw PhotolalaError(
            code: .temporarilyUnavailable, detail: "Too many concurrent changes to the profile. Try again."
        )
    }

    private static let attempts = 8
}
