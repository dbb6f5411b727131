import Foundation
import NIOCore
import PhotolalaAPI

/// The files that are the same in every export.
package enum ExportResources {
    /// Returns `index.html`: what the export has, and what is stored for which purpose, how long, and who reads it (GDPR
    /// article 15).
    /// - Parameter service: The address of the service.
    package static func index(of user: UserID, service: String, created: Date) -> ByteBuffer {
        let rows = PersonalData.all.map { kind in
            let texts = [
                kind.name, kind.purpose, kind.retention, kind.readers(of: user).map(\.rawValue).joined(separator: ", "),
            ]
            return "<tr>\(texts.map { "<td>\(escaped($0))" }.joined())<td>\(place(kind))"
        }
        let page = String(decoding: PackageResources.about_html, as: UTF8.self)
            .replacing("{{service}}", with: escaped(service))
            .replacing("{{created}}", with: escaped(created.ISO8601Format()))
            .replacing("{{rows}}", with: rows.joined(separator: "\n"))
        return ByteBuffer(string: page)
    }

    private static func place(_ kind: PersonalData) -> String {
        switch kind.export {
        case .files:
            switch kind.name {
            case "photos": "<a href=\"\(ExportPath.photos)/\">photos</a>"
            case "picture": "account/picture.jpg, .png or .webp"
            default: "<a href=\"catalog.csv\">catalog.csv</a>"
            }
        case .json(let name): "<a href=\"account/\(escaped(name))\">\(escaped(name))</a>"
        case .none(let reason): "not exported: \(escaped(reason))"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}

extension ExportFile {
    /// The script that verifies an export.
    package static var verifyScript: ExportFile {
        ExportFile(
            path: ExportPath.verifyScript, bytes: ByteBuffer(bytes: PackageResources.verify_export_py),
            isExecutable: true)
    }
}
