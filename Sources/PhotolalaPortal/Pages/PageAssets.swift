import Crypto
import Foundation
import HEIFDecoder
import HTTPTypes
import Hummingbird
import NIOCore
import UseCases

/// The static files of the pages. An asset's path changes with the content of all, so browsers may cache it without limit.
struct PageAssets: Sendable {
    private struct Asset {
        let name: String
        let type: String
        let bytes: [UInt8]

        init(_ name: String, _ type: String, _ bytes: [UInt8]) {
            (self.name, self.type, self.bytes) = (name, type, bytes)
        }
    }

    static let stylesheet = "portal.css"
    static let logo = "logo"
    /// The icon on a phone's home screen.
    static let touchIcon = "touch-icon"
    /// The map of the page of places, which has more details than that of a photo.
    static let coastline = "coastline.svg"

    private static let serviceWorker = "service_worker.js"
    private static let accountWorker = "account_worker.js"
    private static let heifWorker = "heif_worker.js"
    private static let webAssembly = "application/wasm"

    /// The media type of the logo.
    let logoType: String
    /// Whether there is an icon for phones: they do not show an SVG.
    let hasTouchIcon: Bool
    private let assets: [Asset]
    private let folder: String
    private let manifest: ByteBuffer
    private let serviceWorkerCode: String
    /// The script that says in place of account pages that there is no connection.
    let accountWorker: String

    init(_ brand: ServiceBrand) throws {
        let serviceWorker = try PortalFile.file(.scripts, Self.serviceWorker)
        accountWorker = try PortalFile.file(.scripts, Self.accountWorker).text
        let own = brand.logo.map { ($0.kind.rawValue, $0.bytes) }
        let logo = try own ?? (BrandLogo.Kind.svg.rawValue, PortalFile.file(.brand, "mark.svg").bytes)
        let touchIcon: [UInt8]? =
            if let logo = brand.logo {
                logo.kind == .png ? logo.bytes : nil
            } else {
                try PortalFile.file(.brand, "mark_180.png").bytes
            }
        let largeIcon = try own == nil ? PortalFile.file(.brand, "mark_512.png").bytes : nil
        var assets =
            PortalFile.files(in: .scripts).filter { ![Self.serviceWorker, Self.accountWorker].contains($0.name) }
            .map { Asset($0.name, "text/javascript; charset=utf-8", $0.bytes) }
            + [
                Asset(Self.stylesheet, "text/css; charset=utf-8", try Self.style(brand.accent)),
                Asset(Self.logo, logo.0, logo.1),
                // Compressed with gzip.
                Asset("heif.wasm", Self.webAssembly, Array(HEIFModule.compressed)),
            ]
            + PortalFile.files(in: .maps).map { Asset($0.name, BrandLogo.Kind.svg.rawValue, $0.bytes) }
        if let touchIcon { assets.append(Asset(Self.touchIcon, "image/png", touchIcon)) }
        if let largeIcon { assets.append(Asset(Self.largeIcon, "image/png", largeIcon)) }
        var hasher = SHA256()
        for asset in assets { hasher.update(data: asset.bytes) }
        // Pages that were kept depend on it, too.
        hasher.update(data: serviceWorker.bytes)
        serviceWorkerCode = serviceWorker.text
        folder = "/assets/\(hasher.finalize().prefix(8).map { String($0, radix: 16) }.joined())"
        (self.assets, logoType, hasTouchIcon) = (assets, logo.0, touchIcon != nil)
        let icons = [(Self.logo, logo.0, "any"), (Self.largeIcon, "image/png", "512x512")]
            .prefix(largeIcon == nil ? 1 : 2)
        let folder = folder
        manifest = Self.manifest(brand, icons: icons.map { ("\(folder)/\($0.0)", $0.1, $0.2) })
    }

    private static let largeIcon = "icon-512"

    /// Returns the style sheet, with the operator's color.
    private static func style(_ accent: AccentColor?) throws(PortalFile.NotCompiled) -> [UInt8] {
        let style = try PortalFile.file(.styles, stylesheet).bytes
        guard let accent else { return style }
        let own = """

            :root { --accent: \(accent); }
            @supports (color: light-dark(#000, #fff)) { :root { --accent: light-dark(\(accent), \(accent.onDark));
              --tint: color-mix(in oklab, var(--accent) 18%, var(--paper)); } }

            """
        return style + own.utf8
    }

    /// Returns the manifest (W3C, "Web Application Manifest"), with which a phone installs the pages like an app.
    private static func manifest(
        _ brand: ServiceBrand, icons: [(path: String, type: String, sizes: String)]
    ) -> ByteBuffer {
        struct Manifest: Encodable {
            struct Icon: Encodable { let src, type, sizes: String }
            let name, short_name, start_url, scope, display, background_color, theme_color: String
            let icons: [Icon]
        }
        let manifest = Manifest(
            name: brand.name, short_name: brand.name, start_url: Section.photos.path, scope: "/",
            display: "standalone", background_color: "#ffffff", theme_color: "\(brand.accent ?? .standard)",
            icons: icons.map { Manifest.Icon(src: $0.path, type: $0.type, sizes: $0.sizes) })
        // Only texts, which always can be encoded.
        return ByteBuffer(data: (try? JSONEncoder().encode(manifest)) ?? Data())
    }

    /// Returns the path of an asset.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The part of the paths that changes with the content.
    var version: String { String(folder.dropFirst("/assets/".count)) }

    /// Returns the script that keeps pages for reading offline, with the addresses of what every page needs. The
    /// decoder of HEIC is only for uploads, and the coastline for the page of places, which keeps it when it is opened.
    func serviceWorker(store: String) throws -> String {
        let needed = assets.map(\.name).filter { name in
            name != Self.coastline && (!name.hasPrefix("heif") || name == "heif_details.js")
        }.map(path)
        return """
            const version = \(try ScriptValue.json(version));
            const assets = \(try ScriptValue.json(needed));
            const store = \(try ScriptValue.json(store));
            \(serviceWorkerCode)
            """
    }

    func mount(on router: some RouterMethods) {
        for asset in assets {
            Self.mount(
                path(asset.name), asset.type, ByteBuffer(bytes: asset.bytes),
                caching: "public, max-age=31536000, immutable", on: router)
        }
        let day = "public, max-age=86400"
        Self.mount("/manifest.webmanifest", "application/manifest+json", manifest, caching: day, on: router)
        if let logo = assets.first(where: { $0.name == Self.logo }) {
            Self.mount("/favicon.ico", logo.type, ByteBuffer(bytes: logo.bytes), caching: day, on: router)
        }
    }

    private static func mount(
        _ path: String, _ type: String, _ body: ByteBuffer, caching: String, on router: some RouterMethods
    ) {
        // Only texts become smaller.
        let compressed = type.hasPrefix("image/png") || type == webAssembly ? nil : body.compressed()
        let policy = Self.policy(path, type)
        router.get(RouterPath(path)) { request, _ in
            var headers: HTTPFields = [
                .contentType: type, .xContentTypeOptions: "nosniff", .cacheControl: caching,
                .contentSecurityPolicy: policy,
            ]
            // Every browser with WebAssembly accepts gzip.
            if type == webAssembly { headers[.contentEncoding] = "gzip" }
            guard let compressed else { return Response(status: .ok, headers: headers, body: .init(byteBuffer: body)) }
            headers[.vary] = "accept-encoding"
            guard request.acceptsGzip else {
                return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
            }
            headers[.contentEncoding] = "gzip"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: compressed))
        }
    }

    /// Returns the policy of an asset. A worker uses that of its own script's response: only the worker of the HEIC
    /// decoder may compile WebAssembly. An SVG that is opened by itself runs nothing.
    private static func policy(_ path: String, _ type: String) -> String {
        if path.hasSuffix("/\(heifWorker)") {
            return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
        }
        return type.hasPrefix("text/javascript")
            ? "default-src 'none'; script-src 'self'" : "default-src 'none'; style-src 'unsafe-inline'"
    }
}
