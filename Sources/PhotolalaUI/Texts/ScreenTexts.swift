import Foundation
import Localization
import PhotolalaClient

/// The texts of the screens in the person's language. Portal pages have the same texts.
public struct ScreenTexts: Sendable {
    let strings: LocalizedStrings

    /// Creates the texts in the first of these languages that is available: English, German, Japanese, Korean or Spanish;
    /// otherwise in English.
    /// - Parameter languages: BCP 47 tags, preferred first.
    public init(languages: [String] = Locale.preferredLanguages) {
        let all = try? TextCatalog(service: "Photolala")
        strings =
            all?.strings(for: languages.joined(separator: ","))
            ?? LocalizedStrings(language: TextCatalog.languages[0], all: [:])
    }

    /// Returns a text with its placeholders replaced.
    func callAsFunction(_ name: ScreenText, _ values: [TextPlaceholder: String] = [:]) -> String {
        strings.text(name.rawValue, values) ?? name.rawValue
    }

    /// Returns the text for a failure: the catalog's where it names a better next step in the person's language,
    /// otherwise the text of the SDK's error.
    public func message(for failure: ScreenFailure) -> String {
        switch failure {
        case .service(let error): message(for: error.code, error.cause, detail: error.detail)
        case .provider(let provider, let text):
            [self(.turnedBackText, [.provider: title(of: provider)]), text].filter { !$0.isEmpty }
                .joined(separator: " ")
        case .planStore(let text): self(.planStoreFailed, [.name: text])
        case .wrongIdentity: self(.wrongIdentity)
        case .wrongConfirmation: self(.deleteTypeWrong)
        case .wrongCode: self(.codeUnknown)
        case .cancelled: self(.cancel)
        }
    }

    /// Returns the text for why a transfer stopped early.
    func message(for stop: TransferStopReason) -> String { message(for: stop.code, stop.cause, detail: stop.detail) }

    /// Returns the reason why a file failed: in the language of the screens, if the catalog has a text for its code,
    /// otherwise in English.
    public func message(for failure: FileFailure) -> String {
        strings.member(failure.code.rawValue, of: .fileFailure) ?? failure.reason
    }

    /// Returns the name of a provider.
    public func title(of provider: ProviderName) -> String {
        let name = provider.description
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Returns the name of a tier.
    func title(of tier: Tier) -> String { strings.member(tier.rawValue, of: .tier) ?? tier.rawValue }

    private func message(for code: ErrorCode, _ cause: FailureCause?, detail: String) -> String {
        let causeText = cause.flatMap { strings.member($0.code.rawValue, of: .fileFailure) }
        // The text of `outOfSpace` is about the server.
        if cause?.code == .deviceFull, let causeText { return causeText }
        if let text = strings.member(code.rawValue, of: .screenError) { return text }
        let text = Self.portalErrors.contains(code) ? strings.member(code.rawValue, of: .error) : nil
        return text ?? causeText ?? detail
    }

    /// The errors whose text of the portal applies to the screens unchanged.
    static let portalErrors: Set<ErrorCode> = [
        .accountDisabled, .identityTooNew, .invalidPendingIdentity, .lastProvider, .outOfSpace, .providerAlreadyLinked,
        .quotaExceeded, .rateLimited, .temporarilyUnavailable, .tooManyProviders, .unknownProvider, .unlinkPending,
    ]
}
