import Foundation
import Localization
import PhotolalaAPI
import Sharing
import UseCases

/// The options of a shared link as the fields of its form.
struct SharedLinkForm: Sendable {
    /// The lifetimes that the form offers, in days.
    private static let days = [1, 7, 30, 365]
    private static let (never, unchanged) = ("never", "unchanged")

    let title: String
    /// A number of days, `never`, or `unchanged` for the time at which the link expires now.
    let lifetime: String
    let allowsDownloads: Bool
    let includesLocation: Bool
    private let password: SharingService.PasswordChange
    private let known: Date?

    /// The password that the form shows again after another mistake.
    var typedPassword: String { if case .set(let text) = password { text } else { "" } }

    /// The options of a new link.
    init(_ title: String) {
        (self.title, lifetime) = (title, String(NewSharedLink.standardDays))
        (allowsDownloads, includesLocation, password, known) = (false, false, .keep, nil)
    }

    /// The options of a link as they are.
    init(_ options: SharedLinkOptions) {
        (title, known) = (options.title, options.expiresAt)
        lifetime = options.expiresAt == nil ? Self.never : Self.unchanged
        (allowsDownloads, includesLocation) = (options.allowsDownloads, options.includesLocation)
        password = .keep
    }

    /// - Parameter known: The options of an existing link.
    init(_ form: Form, known: SharedLinkOptions? = nil) {
        (title, lifetime, self.known) = (form["title"] ?? "", form["expires"] ?? "", known?.expiresAt)
        (allowsDownloads, includesLocation) = (form["downloads"] == "1", form["location"] == "1")
        password =
            switch (form["password"] ?? "", form["no_password"]) {
            case ("", "1"?): .remove
            case ("", _): .keep
            case (let text, _): .set(text)
            }
    }

    func options(at time: Date) -> SharingService.Options {
        let end: Date? =
            if lifetime == Self.never {
                nil
            } else if lifetime == Self.unchanged, let known {
                known
            } else {
                // The past is refused as no time to expire.
                Int(lifetime).flatMap { Self.days.contains($0) ? time.addingTimeInterval(Double($0) * 86_400) : nil }
                    ?? .distantPast
            }
        return SharingService.Options(
            title: title, expiresAt: end, password: password, allowsDownloads: allowsDownloads,
            includesLocation: includesLocation)
    }

    func lifetimes(_ texts: LocalizedStrings) -> [(value: String, title: String)] {
        let current = known.map { [(Self.unchanged, texts.day($0))] } ?? []
        let offered = Self.days.map { days in
            let title =
                switch days {
                case 1: texts(.shareDay)
                case 365: texts(.shareYear)
                default: texts(.shareDays, [.count: texts.number(days)])
                }
            return (String(days), title)
        }
        return current + offered + [(Self.never, texts(.shareNever))]
    }
}
