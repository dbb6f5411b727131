/// Small QuickTime and MP4 files, built box by box.
package enum MovieBytes {
    /// A movie whose `moov` box follows its media data, as cameras write it.
    package static func movie(_ moov: [UInt8], brand: String = "qt  ", mediaLength: Int = 300) -> [UInt8] {
        PhotoBytes.box("ftyp", Array(brand.utf8) + PhotoBytes.big32(0) + Array(brand.utf8))
            + PhotoBytes.box("mdat", [UInt8](repeating: 7, count: mediaLength)) + PhotoBytes.box("moov", moov)
    }

    /// - Parameters:
    ///   - seconds: The creation date.
    ///   - timescale: The units of the duration in a second.
    package static func mvhd(_ seconds: Int, timescale: Int = 0, duration: Int = 0) -> [UInt8] {
        let dates = PhotoBytes.big32(0) + PhotoBytes.big32(seconds) + PhotoBytes.big32(0)
        let length = PhotoBytes.big32(timescale) + PhotoBytes.big32(duration)
        return PhotoBytes.box("mvhd", dates + length + [UInt8](repeating: 0, count: 80))
    }

    package static func wideMvhd(_ seconds: Int, timescale: Int = 0, duration: Int = 0) -> [UInt8] {
        func big64(_ value: Int) -> [UInt8] {
            PhotoBytes.big32(value >> 32 & 0xffff_ffff) + PhotoBytes.big32(value & 0xffff_ffff)
        }
        let head: [UInt8] = [1, 0, 0, 0] + big64(seconds) + big64(0) + PhotoBytes.big32(timescale) + big64(duration)
        return PhotoBytes.box("mvhd", head + [UInt8](repeating: 0, count: 80))
    }

    /// - Parameter matrix: The elements a, b, c and d.
    package static func track(_ width: Int, _ height: Int, matrix: [Int] = [1, 0, 0, 1]) -> [UInt8] {
        let m = matrix.map { PhotoBytes.big32(($0 * 65_536) & 0xffff_ffff) }
        let zero = PhotoBytes.big32(0)
        let nine = m[0] + m[1] + zero + m[2] + m[3] + zero + zero + zero + PhotoBytes.big32(0x4000_0000)
        let head = [UInt8](repeating: 0, count: 40)
        let tkhd = head + nine + PhotoBytes.big32(width << 16) + PhotoBytes.big32(height << 16)
        return PhotoBytes.box("trak", PhotoBytes.box("tkhd", tkhd))
    }

    package static func creationDate(_ text: String) -> [UInt8] { metadata(["creationdate": text]) }

    package static func location(_ text: String) -> [UInt8] { metadata(["location.ISO6709": text]) }

    package static func camera(make: String, model: String) -> [UInt8] { metadata(["make": make, "model": model]) }

    /// Maker and model in the older user data.
    package static func cameraFields(make: String, model: String) -> [UInt8] {
        func field(_ name: String, _ text: String) -> [UInt8] {
            let length = text.utf8.count
            return PhotoBytes.big32(length + 12) + [0xa9] + Array(name.utf8)
                + [UInt8(length >> 8), UInt8(length & 255), 0x15, 0xc7] + Array(text.utf8)
        }
        return PhotoBytes.box("udta", field("mak", make) + field("mod", model) + PhotoBytes.big32(0))
    }

    private static func metadata(_ values: KeyValuePairs<String, String>) -> [UInt8] {
        let names = ["software"] + values.map(\.key)
        let keys = names.flatMap { PhotoBytes.box("mdta", Array("com.apple.quicktime.\($0)".utf8)) }
        let items = values.enumerated().flatMap { index, value in
            let data = PhotoBytes.box("data", PhotoBytes.big32(1) + PhotoBytes.big32(0) + Array(value.value.utf8))
            return PhotoBytes.big32(data.count + 8) + PhotoBytes.big32(index + 2) + data
        }
        return PhotoBytes.box(
            "meta",
            PhotoBytes.box("keys", PhotoBytes.big32(0) + PhotoBytes.big32(names.count) + keys)
                + PhotoBytes.box("ilst", items)
        )
    }
}
