import Foundation
import Localization
import PhotolalaClient
import Testing

@testable import PhotolalaUI

@Suite struct ScreenTextsTests {
    @Test("every text of the screens exists in every language", arguments: TextCatalog.languages)
    func complete(language: String) {
        let texts = ScreenTexts(languages: [language])
        #expect(texts.strings.language == language)
        for name in ScreenText.allCases { #expect(texts.strings.text(name.rawValue, [:]) != nil, "\(name)") }
        for tier in Tier.allCases { #expect(texts.title(of: tier) != tier.rawValue, "\(tier)") }
    }

    @Test(
        "the first available language is used, otherwise English",
        arguments: [([], "en"), (["fr-FR"], "en"), (["fr", "ko-KR", "de"], "ko"), (["es-419"], "es")])
    func language(languages: [String], expected: String) {
        #expect(ScreenTexts(languages: languages).strings.language == expected)
    }

    @Test("an error without a text in the catalog has the text of the SDK")
    func messages() {
        let texts = ScreenTexts(languages: ["de"])
        let message = { (code: ErrorCode) in
            texts.message(for: .service(PhotolalaError(code: code, detail: "detail")))
        }
        #expect(message(.accountDeleting) == "detail" && message(ErrorCode(rawValue: "new")) == "detail")
        #expect(message(.serverUnreachable).hasPrefix("Keine Verbindung"))
        for code in ScreenTexts.portalErrors {
            #expect(message(code) == texts.strings.member(code.rawValue, of: .error), "\(code)")
            #expect(message(code) != "detail")
        }
        let provider = texts.message(for: .provider(.google, "text"))
        #expect(provider.contains("Google") && provider.hasSuffix(". text"))
        #expect(texts.message(for: .provider(.google, "")).hasSuffix("."))
        #expect(texts.message(for: .planStore("text")).hasSuffix("text"))
        #expect(texts.message(for: .wrongIdentity) != texts.message(for: .wrongConfirmation))
    }

    @Test("a full device is not reported as a full server, and a cause is better than English")
    func causes() {
        let texts = ScreenTexts(languages: ["de"])
        let message = { (code: ErrorCode, cause: FailureCode?) in
            texts.message(
                for: .service(PhotolalaError(code: code, detail: "detail", cause: cause.map { FailureCause($0) })))
        }
        #expect(message(.outOfSpace, .deviceFull) == "Kein Speicherplatz mehr auf diesem Gerät")
        #expect(message(.outOfSpace, .photoStoreFull).hasPrefix("Auf dem Server"))
        #expect(message(.folderUnusable, .permissionDenied) != "detail" && message(.folderUnusable, nil) == "detail")
        #expect(message(.folderUnusable, FailureCode(rawValue: "new")) == "detail")
    }

    @Test("a failed file has a text in the person's language, or the SDK's")
    func failures() throws {
        let texts = ScreenTexts(languages: ["de"])
        func message(_ code: String) throws -> String {
            let json = #"{"path":"a","code":"\#(code)","reason":"reason"}"#
            return texts.message(for: try JSONDecoder().decode(FileFailure.self, from: Data(json.utf8)))
        }
        #expect(try message("quota_exceeded") == "Speicherplatz voll")
        #expect(try message("new_code") == "reason")
    }

    @Test("the links beside the plans are in the person's language")
    func links() throws {
        let terms = PlanTerms(
            termsOfUse: try #require(URL(string: "https://photos.example/terms")),
            privacyPolicy: try #require(URL(string: "https://photos.example/privacy")))
        let links = ScreenTexts(languages: ["de"]).links(to: terms)
        #expect(links.map(\.title) == ["Nutzungsbedingungen", "Datenschutzerklärung"])
        #expect(links.map(\.page) == [terms.termsOfUse, terms.privacyPolicy])
    }
}
