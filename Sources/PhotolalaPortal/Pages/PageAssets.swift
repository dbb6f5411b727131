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

    private static let scripts: [(name: String, bytes: [UInt8])] = [
        ("library.js", PackageResources.library_js), ("grid.js", PackageResources.grid_js),
        ("grid_layout.js", PackageResources.grid_layout_js), ("grid_keys.js", PackageResources.grid_keys_js),
        ("scrubber.js", PackageResources.scrubber_js), ("selection.js", PackageResources.selection_js),
        ("theme.js", PackageResources.theme_js), ("undo.js", PackageResources.undo_js),
        ("download.js", PackageResources.download_js),
        ("zip.js", PackageResources.zip_js), ("viewer.js", PackageResources.viewer_js),
        ("info_drawer.js", PackageResources.info_drawer_js), ("detail_texts.js", PackageResources.detail_texts_js),
        ("photo_details.js", PackageResources.photo_details_js), ("ranged_file.js", PackageResources.ranged_file_js),
        ("exif.js", PackageResources.exif_js), ("boxes.js", PackageResources.boxes_js),
        ("heif_details.js", PackageResources.heif_details_js),
        ("movie_details.js", PackageResources.movie_details_js), ("world_map.js", PackageResources.world_map_js),
        ("live_photo.js", PackageResources.live_photo_js), ("unplayable.js", PackageResources.unplayable_js),
        ("upload.js", PackageResources.upload_js), ("upload_rate.js", PackageResources.upload_rate_js),
        ("upload_inputs.js", PackageResources.upload_inputs_js),
        ("interrupted_uploads.js", PackageResources.interrupted_uploads_js),
        ("browsing.js", PackageResources.browsing_js), ("framed_page.js", PackageResources.framed_page_js),
        ("signed_put.js", PackageResources.signed_put_js), ("upload_calls.js", PackageResources.upload_calls_js),
        ("part_sender.js", PackageResources.part_sender_js), ("part_digests.js", PackageResources.part_digests_js),
        ("unfinished_uploads.js", PackageResources.unfinished_uploads_js),
        ("upload_report.js", PackageResources.upload_report_js),
        ("dropped_files.js", PackageResources.dropped_files_js), ("photo_reader.js", PackageResources.photo_reader_js),
        ("photo_worker.js", PackageResources.photo_worker_js), ("md5.js", PackageResources.md5_js),
        ("movie_frame.js", PackageResources.movie_frame_js), ("picture_size.js", PackageResources.picture_size_js),
        ("upload_item.js", PackageResources.upload_item_js), ("upload_list.js", PackageResources.upload_list_js),
        ("upload_sources.js", PackageResources.upload_sources_js),
        ("zip_reader.js", PackageResources.zip_reader_js),
        ("unpacking.js", PackageResources.unpacking_js), ("crc32.js", PackageResources.crc32_js),
        ("temporary_files.js", PackageResources.temporary_files_js), ("takeout.js", PackageResources.takeout_js),
        ("takeout_names.js", PackageResources.takeout_names_js),
        ("takeout_index.js", PackageResources.takeout_index_js),
        ("takeout_matcher.js", PackageResources.takeout_matcher_js),
        ("library_folders.js", PackageResources.library_folders_js),
        ("heif_decoder.js", PackageResources.heif_decoder_js), (heifWorker, PackageResources.heif_worker_js),
        ("offline.js", PackageResources.offline_js), ("places.js", PackageResources.places_js),
    ]
    private static let heifWorker = "heif_worker.js"
    private static let webAssembly = "application/wasm"

    /// The media type of the logo.
    let logoType: String
    /// Whether there is an icon for phones: they do not show an SVG.
    let hasTouchIcon: Bool
    private let assets: [Asset]
    private let folder: String
    private let manifest: ByteBuffer

    init(_ brand: ServiceBrand) {
        let own = brand.logo.map { ($0.kind.rawValue, $0.bytes) }
        let logo = own ?? (BrandLogo.Kind.svg.rawValue, PackageResources.mark_svg)
        let touchIcon: [UInt8]? = brand.logo.map { $0.kind == .png ? $0.bytes : nil } ?? PackageResources.mark_180_png
        let largeIcon = own == nil ? PackageResources.mark_512_png : nil
        var assets =
            Self.scripts.map { Asset($0.name, "text/javascript; charset=utf-8", $0.bytes) }
            + [
                Asset(Self.stylesheet, "text/css; charset=utf-8", Self.style(brand.accent)),
                Asset(Self.logo, logo.0, logo.1),
                Asset("world.svg", BrandLogo.Kind.svg.rawValue, PackageResources.world_svg),
                // Compressed with gzip.
                Asset("heif.wasm", Self.webAssembly, Array(HEIFModule.compressed)),
            ]
        if let touchIcon { assets.append(Asset(Self.touchIcon, "image/png", touchIcon)) }
        if let largeIcon { assets.append(Asset(Self.largeIcon, "image/png", largeIcon)) }
        var hasher = SHA256()
        for asset in assets { hasher.update(data: asset.bytes) }
        // Pages that were kept depend on it, too.
        hasher.update(data: PackageResources.service_worker_js)
        folder = "/assets/\(hasher.finalize().prefix(8).map { String($0, radix: 16) }.joined())"
        (self.assets, logoType, hasTouchIcon) = (assets, logo.0, touchIcon != nil)
        let icons = [(Self.logo, logo.0, "any"), (Self.largeIcon, "image/png", "512x512")]
            .prefix(largeIcon == nil ? 1 : 2)
        let folder = folder
        manifest = Self.manifest(brand, icons: icons.map { ("\(folder)/\($0.0)", $0.1, $0.2) })
    }

    private static let largeIcon = "icon-512"

    /// Returns the style sheet, with the operator's color.
    private static func style(_ accent: AccentColor?) -> [UInt8] {
        guard let accent else { return PackageResources.portal_css }
        let own = """

            :root { --accent: \(accent); }
            @supports (color: light-dark(#000, #fff)) { :root { --accent: light-dark(\(accent), \(accent.onDark));
              --tint: color-mix(in oklab, var(--accent) 18%, var(--paper)); } }

            """
        return PackageResources.portal_css + own.utf8
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
    /// decoder of HEIC is only for uploads.
    func serviceWorker(store: String) throws -> String {
        let needed = assets.map(\.name).filter { !$0.hasPrefix("heif") || $0 == "heif_details.js" }.map(path)
        return """
            const version = \(try ScriptValue.json(version));
            const assets = \(try ScriptValue.json(needed));
            const store = \(try ScriptValue.json(store));
            \(String(decoding: PackageResources.service_worker_js, as: UTF8.self))
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
