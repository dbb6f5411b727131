import Foundation
import PhotolalaAPI
import Testing

@testable import PhotolalaPortal

/// The program has the files of the portal's folders.
@Suite struct PortalFileTests {
    private static let module = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/PhotolalaPortal")

    @Test("each file of a folder is compiled once", arguments: PortalFile.Folder.allCases)
    func list(_ folder: PortalFile.Folder) throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Self.module.appending(path: folder.rawValue).path
        ).filter { !$0.hasPrefix(".") }
        #expect(!names.isEmpty)
        let compiled = PortalFile.files(in: folder).map(\.name)
        let missing = Set(names).subtracting(compiled).sorted()
        #expect(missing.isEmpty, "Sources/CEmbeddedFiles/portal.c must list these files of \(folder.rawValue)")
        #expect(compiled.count == Set(compiled).count, "Sources/CEmbeddedFiles/portal.c must list each file once")
    }

    @Test("each compiled file is in a known folder, with equal bytes")
    func bytes() throws {
        #expect(PortalFile.all.count == PortalFile.Folder.allCases.map { PortalFile.files(in: $0).count }.reduce(0, +))
        for file in PortalFile.all {
            let bytes = try [UInt8](Data(contentsOf: Self.module.appending(path: file.path)))
            // A failure would print all bytes.
            let isEqual = file.bytes == bytes
            #expect(isEqual, "\(file.path): build again")
            #expect(!bytes.isEmpty, "\(file.path)")
        }
    }

    @Test("a file that is not compiled is reported with its path")
    func unknown() {
        #expect(throws: PortalFile.NotCompiled(path: "Scripts/none.js")) {
            try PortalFile.file(.scripts, "none.js")
        }
    }

    @Test("each icon and each built-in provider has a picture")
    func pictures() {
        for icon in Icon.allCases { #expect(icon.html.hasPrefix("<svg"), "\(icon)") }
        for name in ProviderName.builtIn { #expect(ProviderLogo.html(of: name).hasPrefix("<svg"), "\(name)") }
    }

    @Test("a provider with the name of another icon has no logo", arguments: ["search", "photos"])
    func otherProvider(_ name: String) throws {
        #expect(ProviderLogo.html(of: try #require(ProviderName(name))).isEmpty)
    }
}
