import Accounts
import Foundation
import Localization
import Mustache
import PhotolalaAPI
import PlaceNames

/// The texts of the e-mail about an event in the owner's language.
struct SecurityMailText: Sendable {
    let subject: String
    let text: String
    let html: String
}

/// Writes the texts of e-mails.
struct SecurityMailWriter: Sendable {
    private let settings: SecurityMailSettings
    private let catalog: TextCatalog
    private let htmlTemplate: MustacheTemplate
    private let textTemplate: MustacheTemplate

    /// The longest device name or address that an e-mail shows, in characters.
    private static let longestName = 60

    init(_ settings: SecurityMailSettings) throws {
        self.settings = settings
        catalog = try TextCatalog(service: settings.service)
        let template = { (bytes: [UInt8]) in try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self)) }
        htmlTemplate = try template(PackageResources.security_mail_html_mustache)
        textTemplate = try template(PackageResources.security_mail_text_mustache)
    }

    /// Returns the language in which an account's e-mails are written.
    func language(of account: AccountDocument) -> String {
        catalog.strings(for: nil, chosen: account.language).language
    }

    /// Returns the texts about an event; `nil` if there are none for its type.
    /// - Parameters:
    ///   - device: the name of the device that the event concerns.
    ///   - methods: the account's sign-in methods.
    ///   - isLast: whether no more e-mails of this kind are sent today.
    func text(
        about event: AccountEvent, device: String?, methods: [MaskedMethod], in language: String, isLast: Bool
    ) -> SecurityMailText? {
        let texts = catalog.strings(for: nil, chosen: language)
        let provider = event.provider.map(title)
        let account = methods.map { method in
            title(method.provider) + (method.address.map { " (\(Self.plain($0)))" } ?? "")
        }
        let values: [TextPlaceholder: String] = [
            .provider: provider ?? "", .date: event.effectiveAt.map(texts.time) ?? "",
        ]
        guard let subject = texts.member("\(event.type.rawValue)_subject", of: .mail, values),
            let text = texts.member("\(event.type.rawValue)_text", of: .mail, values)
        else { return nil }
        let rows: [(String, String?)] = [
            ("row_device", device.map(Self.shown)),
            ("row_country", event.country.map { PlaceTable.builtIn.name(ofCountry: $0.description, in: language) }),
            ("row_method", provider),
            ("row_time", "\(texts.time(event.at)) UTC"),
            ("row_account", account.isEmpty ? nil : account.joined(separator: ", ")),
            ("row_account_id", event.user.description), ("row_support", settings.supportURL),
        ]
        let content: [String: any Sendable] = [
            "language": language, "service": settings.service, "subject": subject, "text": text,
            "rows": rows.compactMap { name, value in
                value.map { ["label": texts.member(name, of: .mail) ?? "", "value": $0] }
            },
            "advice": [isLast ? texts.member("last", of: .mail) : nil, texts.member("advice", of: .mail)]
                .compactMap(\.self).joined(separator: " "), "button": texts.member("button", of: .mail) ?? "",
            "link": "\(settings.publicURL)\(Self.page(about: event))",
            "reason": texts.member("reason", of: .mail) ?? "",
        ]
        return SecurityMailText(
            subject: subject, text: textTemplate.render(content), html: htmlTemplate.render(content))
    }

    private func title(_ provider: ProviderName) -> String {
        settings.providers[provider] ?? provider.description.capitalized
    }

    /// Returns the path of the page on which the owner can act.
    private static func page(about event: AccountEvent) -> String {
        switch event.type {
        case .deviceAdded, .sessionReuseDetected: "/account/devices"
        case .providerLinked, .providerUnlinked, .providerUnlinkRequested, .providerUnlinkUndone, .providerReactivated,
            .providerMoveRequested:
            "/account/links"
        default: "/account"
        }
    }

    /// Returns a device's name, which the device chooses, in quotes.
    private static func shown(_ name: String) -> String { "“\(plain(name))”" }

    /// Returns a text of others without invisible characters and those that change the direction, and with a word
    /// joiner in what a mail program would make a link.
    private static func plain(_ name: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in name.prefix(longestName).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: continue
            default: shown.append(scalar)
            }
            if [".", ":", "/", "@"].contains(scalar) { shown.append("\u{2060}") }
        }
        return String(shown)
    }
}
