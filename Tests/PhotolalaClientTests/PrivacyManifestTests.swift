import Foundation
import Testing

/// The privacy manifest says what the SDK does.
@Suite struct PrivacyManifestTests {
    private struct Manifest: Decodable {
        struct AccessedAPI: Decodable {
            let NSPrivacyAccessedAPIType: String
            let NSPrivacyAccessedAPITypeReasons: [String]
        }
        struct CollectedData: Decodable {
            let NSPrivacyCollectedDataType: String
            let NSPrivacyCollectedDataTypeLinked: Bool
            let NSPrivacyCollectedDataTypeTracking: Bool
            let NSPrivacyCollectedDataTypePurposes: [String]
        }
        let NSPrivacyTracking: Bool
        let NSPrivacyTrackingDomains: [String]
        let NSPrivacyAccessedAPITypes: [AccessedAPI]
        let NSPrivacyCollectedDataTypes: [CollectedData]
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    private static func manifest() throws -> Manifest {
        let file = sources.appending(path: "PhotolalaClient/PrivacyInfo.xcprivacy")
        return try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
    }

    /// The modules that an app contains with `PhotolalaClient`, `PhotolalaUI` and `PhotolalaDirectFunctions`.
    private static let modules = [
        "AWSServices", "ForeignExports", "ImmichAPI", "JWS", "LibraryExport", "Localization", "ObjectStorage",
        "PhotoCatalog", "PhotoSync", "PhotolalaAPI", "PhotolalaClient", "PhotolalaDirectFunctions", "PhotolalaUI",
        "S3Protocol", "Secrets", "Transport", "VipsThumbnails",
    ]

    /// The calls for which Apple requires a reason, by category.
    private static let calls = [
        "NSPrivacyAccessedAPICategoryFileTimestamp":
            #"\b[fl]?stat\(|\bfstatat\(|getattrlist|ModificationDateKey|creationDateKey|\.fileModificationDate"#,
        "NSPrivacyAccessedAPICategoryDiskSpace": #"\bf?statv?fs\(|volumeAvailableCapacity|systemFreeSize"#,
        "NSPrivacyAccessedAPICategorySystemBootTime": #"systemUptime|mach_absolute_time"#,
        "NSPrivacyAccessedAPICategoryUserDefaults": #"UserDefaults"#,
        "NSPrivacyAccessedAPICategoryActiveKeyboards": #"activeInputModes"#,
    ]

    @Test("the manifest declares the calls of the sources that need a reason, and no others")
    func calls() throws {
        var text = ""
        for module in Self.modules {
            let folder = Self.sources.appending(path: module)
            let files = try #require(FileManager.default.enumerator(atPath: folder.path))
            for case let file as String in files where file.hasSuffix(".swift") && !file.contains(".docc/") {
                text += try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            }
        }
        let used = Self.calls.filter { text.range(of: $0.value, options: .regularExpression) != nil }.keys
        let declared = try Self.manifest().NSPrivacyAccessedAPITypes
        #expect(declared.map(\.NSPrivacyAccessedAPIType).sorted() == used.sorted())
        #expect(declared.map(\.NSPrivacyAccessedAPITypeReasons) == [["E174.1"], ["C617.1", "3B52.1"]])
    }

    @Test("nothing is collected for tracking, and the documentation lists what is collected")
    func data() throws {
        let manifest = try Self.manifest()
        #expect(!manifest.NSPrivacyTracking && manifest.NSPrivacyTrackingDomains.isEmpty)
        for data in manifest.NSPrivacyCollectedDataTypes {
            #expect(data.NSPrivacyCollectedDataTypeLinked && !data.NSPrivacyCollectedDataTypeTracking)
            #expect(
                data.NSPrivacyCollectedDataTypePurposes == ["NSPrivacyCollectedDataTypePurposeAppFunctionality"])
        }
        let article = try String(
            contentsOf: Self.sources.appending(
                path: "PhotolalaClient/Documentation.docc/Articles/PublishingAnApp.md"), encoding: .utf8)
        let documented = article.matches(of: /\(`([A-Za-z]+)`\)/).map { "NSPrivacyCollectedDataType\($0.1)" }
        #expect(documented == manifest.NSPrivacyCollectedDataTypes.map(\.NSPrivacyCollectedDataType))
    }
}
