import Foundation
import Testing
import Yams

/// The project of the example app. Its sources are compiled by `scripts/check-apple`.
@Suite struct DemoAppTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/PhotolalaDemoApp")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    private static func properties(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appending(path: path))
        return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    private static var sources: String {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Sources").path)
                .map { try text("Sources/\($0)") }.joined(separator: "\n")
        }
    }

    /// A target of the manifest.
    private struct Target {
        let values: [String: Any]
        let settings: [String: String]
        let package: String

        init() throws {
            let manifest = try #require(try Yams.load(yaml: DemoAppTests.text("project.yml")) as? [String: Any])
            let targets = try #require(manifest["targets"] as? [String: [String: Any]])
            values = try #require(targets["PhotolalaDemoApp"])
            let settings = values["settings"] as? [String: [String: Any]]
            self.settings = try #require(settings?["base"]).mapValues { "\($0)" }
            let packages = manifest["packages"] as? [String: [String: String]]
            package = try #require(packages?["Photolala"]?["path"])
        }
    }

    @Test("the manifest names existing files, and products of the package")
    func files() throws {
        let target = try Target()
        let sources = try #require(target.values["sources"] as? [String])
        let files = ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"].compactMap { target.settings[$0] }
        #expect(sources == ["Sources"] && files.count == 2)
        for path in sources + files + ["\(target.package)/Package.swift"] {
            #expect(FileManager.default.fileExists(atPath: Self.folder.appending(path: path).path), "\(path)")
        }
        let package = try Self.text("\(target.package)/Package.swift")
        let products = try #require(target.values["dependencies"] as? [[String: String]]).compactMap { $0["product"] }
        let imported = try Self.sources.split(separator: "\n").filter { $0.hasPrefix("import Photolala") }
        #expect(Set(products) == Set(imported.map { String($0.dropFirst("import ".count)) }))
        let libraries = package.split(separator: "\n").first { $0.hasPrefix("    products: [") } ?? ""
        for product in products { #expect(libraries.contains("\"\(product)\""), "\(product)") }
    }

    @Test(
        "Info.plist has the texts that the system shows for what the app uses",
        arguments: [
            ("import VisionKit", "NSCameraUsageDescription"), ("import Photos", "NSPhotoLibraryUsageDescription"),
            ("PairedServer(", "NSLocalNetworkUsageDescription"),
        ])
    func usageTexts(use: String, key: String) throws {
        let (isUsed, text) = (try Self.sources.contains(use), try Self.properties("Info.plist")[key] as? String)
        #expect(isUsed && text?.isEmpty == false)
    }

    @Test("the background task is permitted, and the app's identifiers agree")
    func identifiers() throws {
        let (info, sources) = (try Self.properties("Info.plist"), try Self.sources)
        let tasks = try #require(info["BGTaskSchedulerPermittedIdentifiers"] as? [String])
        #expect(sources.contains("static let identifier = \"\(tasks.joined())\"") && sources.contains(".appRefresh("))
        #expect(info["UIBackgroundModes"] as? [String] == ["fetch"])
        #expect(info["CFBundleIdentifier"] as? String == "$(PRODUCT_BUNDLE_IDENTIFIER)")
        let bundle = try #require(try Target().settings["PRODUCT_BUNDLE_IDENTIFIER"])
        #expect(tasks.joined().hasPrefix(bundle) && sources.contains("KeychainSecretStorage(service: \"\(bundle)\")"))
        let groups = try Self.properties("App.entitlements")["keychain-access-groups"] as? [String]
        #expect(groups == ["$(AppIdentifierPrefix)\(bundle)"])
    }
}
