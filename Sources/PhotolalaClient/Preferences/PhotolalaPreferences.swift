import Foundation
import PhotoLibrary
import PhotolalaAPI

/// The person's preferences: set on any device, with or without a network, and merged by the account.
///
/// Names are the app's own (`uploadQuality`, `autoBackup`, …). What is set for all devices goes into the profile with the next
/// ``synchronize()``; of two devices that set the same name the one that had seen more counts, and no clock decides. Before
/// the first sign-in everything works on this device, and goes to the account that is signed in first.
public struct PhotolalaPreferences: Sendable {
    /// Characters in a name.
    public static let nameLimit = 100
    /// Characters in a text.
    public static let textLimit = 10_000
    /// Preferences for all devices.
    public static let countLimit = 100

    private let session: PhotolalaSession
    private let profile: ProfileDirectory

    /// The preferences of whoever is signed in.
    public init(session: PhotolalaSession, profile: ProfileDirectory) {
        self.session = session
        self.profile = profile
    }

    /// What counts on this device, in the order of the names. Asks nobody.
    /// - Throws: `localStorageFailed`.
    public func all() async throws(PhotolalaError) -> [Preference] {
        try profile.preferences(of: try await session.signedInUser()).all
    }

    /// The value that counts on this device. Asks nobody.
    /// - Throws: `localStorageFailed`.
    public func value(of name: String) async throws(PhotolalaError) -> PreferenceValue? {
        try await all().first { $0.name == name }?.value
    }

    /// Sets a preference. Asks nobody: ``synchronize()`` first where that is possible, so that what was set elsewhere before is
    /// known and this counts after it.
    /// - Parameters:
    ///   - name: 1 to 100 characters.
    ///   - value: a text has at most 10,000 characters; `nil` removes the preference.
    ///   - scope: for which devices; when left out, there where the value is set that counts on this device, or as is usual
    ///     for the name.
    /// - Throws: `invalidRequest` for a name or text that is too long or a preference too many, `localStorageFailed`.
    public func set(
        _ name: String, to value: PreferenceValue?, for scope: PreferenceScope? = nil
    ) async throws(PhotolalaError) {
        guard (1...Self.nameLimit).contains(name.unicodeScalars.count) else {
            throw Self.refusal("A preference's name has 1 to \(Self.nameLimit) characters.")
        }
        if case .text(let text) = value, text.unicodeScalars.count > Self.textLimit {
            throw Self.refusal("A preference's text has at most \(Self.textLimit) characters.")
        }
        let user = try await session.signedInUser()
        let device = try await session.catalogTag()
        let isSet = try profile.changePreferences(of: user) { kept in
            var changed = kept
            changed.set(name, to: value, for: scope, by: device)
            guard value == nil || changed.sharedCount <= Self.countLimit else { return false }
            kept = changed
            return true
        }
        guard isSet else { throw Self.refusal("An account has at most \(Self.countLimit) preferences.") }
    }

    private static func refusal(_ detail: String) -> PhotolalaError {
        PhotolalaError(code: .invalidRequest, detail: detail)
    }

    /// Merges what was set here with what the account has, in both directions. Where the profile cannot be reached,
    /// everything goes on waiting.
    /// - Throws: `notSignedIn`, `invalidRequest` when the account has more than 100 preferences then, `profileUnreadable`.
    public func synchronize() async throws(PhotolalaError) -> PreferenceSynchronization {
        guard let user = try await session.signedInUser() else { throw .notSignedIn }
        for _ in 1...Self.attempts {
            let kept = try profile.preferences(of: user)
            let found = try await session.profile(of: user)
            guard let version = found.version else {
                throw PhotolalaError(code: .notPhotolala, detail: "The answer names no version of the profile.")
            }
            let told = PreferenceRegisters(of: found.profile, after: kept.seen)
            let merged = told.joined(with: kept.waiting)
            var wanted = found.profile
            merged.write(to: &wanted)
            if wanted != found.profile {
                do throws(PhotolalaError) {
                    try await session.replaceProfile(of: user, with: wanted, ifStill: version)
                } catch  where error.code == .changedMeanwhile {
                    continue
                } catch  where error.code == .invalidRequest {
                    // What does not fit goes on waiting, and keeps nobody from hearing what others set.
                    _ = try profile.changePreferences(of: user) {
                        $0.settle(told, onto: kept.seen, told: PreferenceRegisters())
                    }
                    throw error
                } catch { throw error }
            }
            let settled = try profile.changePreferences(of: user) {
                $0.settle(merged, onto: kept.seen, told: kept.waiting)
            }
            if let settled { return settled }
        }
        throw PhotolalaError(
            code: .temporarilyUnavailable, detail: "Other devices keep changing the profile; try again."
        )
    }

    private static let attempts = 8
}
