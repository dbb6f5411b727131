import Testing

extension Boto3Tests {
    @Test("multipart uploads of the transfer manager work with every checksum algorithm")
    func transferredChecksums() async throws {
        try await run(
            """
            import base64, zlib
            data = os.urandom(12_000_000)
            config = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
            k = f'photos/{ADA}/large.dat'
            def head(): return s3.head_object(Bucket=B, Key=k, ChecksumMode='ENABLED')
            s3.upload_fileobj(io.BytesIO(data), B, k, Config=config)
            assert head()['ChecksumType'] == 'COMPOSITE' and head()['ChecksumCRC32'].endswith('-3'), head()
            for algorithm in ['CRC32', 'SHA1', 'SHA256']:
                s3.upload_fileobj(
                    io.BytesIO(data), B, k, Config=config, ExtraArgs={'ChecksumAlgorithm': algorithm})
                assert head()[f'Checksum{algorithm}'].endswith('-3'), head()
            crc = base64.b64encode(zlib.crc32(data).to_bytes(4, 'big')).decode()
            s3.upload_fileobj(io.BytesIO(data), B, k, Config=config, ExtraArgs={'ChecksumCRC32': crc})
            assert head()['ChecksumType'] == 'FULL_OBJECT' and head()['ChecksumCRC32'] == crc, head()
            back = io.BytesIO(); s3.download_fileobj(B, k, back, Config=config)
            assert back.getvalue() == data
            assert s3.get_object(Bucket=B, Key=k, ChecksumMode='ENABLED')['Body'].read() == data
            s3.delete_object(Bucket=B, Key=k)
            try: s3.upload_fileobj(io.BytesIO(data), B, k, Config=config, ExtraArgs={'ChecksumCRC32': 'AAAAAA=='})
            except ClientError as error: assert error.response['Error']['Code'] == 'BadDigest', error
            else: raise AssertionError('a wrong checksum of the object was taken')
            refused(['NoSuchKey', '404'], s3.head_object, Bucket=B, Key=k)
            """)
    }

    @Test("parts uploaded individually are verified, listed, read by part number and copied")
    func partsByHand() async throws {
        try await run(
            """
            import base64, zlib
            def crc(data): return base64.b64encode(zlib.crc32(data).to_bytes(4, 'big')).decode()
            bodies, k = [b'a' * (5 << 20), b'end'], f'photos/{ADA}/parts.dat'
            def begin(**arguments): return s3.create_multipart_upload(Bucket=B, Key=k, **arguments)['UploadId']
            for kind in ['FULL_OBJECT', 'COMPOSITE']:
                u, parts = begin(ChecksumAlgorithm='CRC32', ChecksumType=kind), []
                upload = {'Bucket': B, 'Key': k, 'UploadId': u}
                refused(['BadDigest'], s3.upload_part, **upload, PartNumber=1, Body=bodies[0], ChecksumCRC32='AAAAAA==')
                for n, body in enumerate(bodies, 1):
                    put = s3.upload_part(**upload, PartNumber=n, Body=body, ChecksumAlgorithm='CRC32')
                    parts.append({'PartNumber': n, 'ETag': put['ETag'], 'ChecksumCRC32': put['ChecksumCRC32']})
                listed = s3.list_parts(**upload)
                assert listed['ChecksumType'] == kind and listed['ChecksumAlgorithm'] == 'CRC32'
                assert [p['ChecksumCRC32'] for p in listed['Parts']] == [crc(b) for b in bodies]
                wrong = [dict(parts[0], ChecksumCRC32='AAAAAA=='), parts[1]]
                refused(['InvalidPart'], s3.complete_multipart_upload, **upload, MultipartUpload={'Parts': wrong})
                done = s3.complete_multipart_upload(**upload, MultipartUpload={'Parts': parts}, ChecksumType=kind)
                assert done['ChecksumType'] == kind
                told = s3.get_object_attributes(
                    Bucket=B, Key=k, ObjectAttributes=['ETag', 'Checksum', 'ObjectParts', 'ObjectSize'])
                assert told['ObjectSize'] == (5 << 20) + 3 and told['ObjectParts']['TotalPartsCount'] == 2
                assert told['Checksum']['ChecksumType'] == kind
                assert ('Parts' in told['ObjectParts']) == (kind == 'COMPOSITE')
                part = s3.get_object(Bucket=B, Key=k, PartNumber=2, ChecksumMode='ENABLED')
                assert part['Body'].read() == b'end' and part['PartsCount'] == 2
                assert s3.head_object(Bucket=B, Key=k, PartNumber=1)['ContentLength'] == 5 << 20
            assert done['ChecksumCRC32'].endswith('-2')
            copy = begin(ChecksumAlgorithm='CRC32')
            upload = {'Bucket': B, 'Key': k, 'UploadId': copy}
            part = s3.upload_part_copy(**upload, PartNumber=1, CopySource={'Bucket': B, 'Key': k})['CopyPartResult']
            assert part['ChecksumCRC32'] == crc(b''.join(bodies))
            refused(['InvalidArgument'], s3.upload_part_copy, **upload, PartNumber=2,
                    CopySource={'Bucket': B, 'Key': k}, CopySourceRange='bytes=0-99999999')
            pages = s3.get_paginator('list_multipart_uploads').paginate(
                Bucket=B, Prefix=f'photos/{ADA}/', PaginationConfig={'PageSize': 1})
            begun = {copy} | {begin() for _ in range(3)}
            assert {u['UploadId'] for p in pages for u in p.get('Uploads', [])} == begun
            for u in begun: s3.abort_multipart_upload(Bucket=B, Key=k, UploadId=u)
            assert 'Uploads' not in s3.list_multipart_uploads(Bucket=B)
            """)
    }

    @Test("folder markers and conditions on any ETag work as clients expect")
    func foldersAndConditions() async throws {
        try await run(
            """
            folder, k = f'photos/{ADA}/trip/', f'photos/{ADA}/trip/a'
            s3.put_object(Bucket=B, Key=folder, Body=b'')
            s3.put_object(Bucket=B, Key=k, Body=b'a')
            assert s3.head_object(Bucket=B, Key=folder)['ContentLength'] == 0
            assert [o['Key'] for o in s3.list_objects_v2(Bucket=B, Prefix=folder)['Contents']] == [folder, k]
            top = s3.list_objects_v2(Bucket=B, Delimiter='/')
            assert [p['Prefix'] for p in top['CommonPrefixes']] == ['catalogs/', 'photos/', 'thumbnails/', 'users/']
            assert [o['Key'] for o in s3.list_objects(Bucket=B)['Contents']] == [folder, k]
            s3.put_object(Bucket=B, Key=k, Body=b'b', IfMatch='*')
            refused(['NoSuchKey'], s3.put_object, Bucket=B, Key=k + 'x', Body=b'b', IfMatch='*')
            refused(['304'], s3.get_object, Bucket=B, Key=k, IfNoneMatch='*')
            refused(['NoSuchKey'], s3.delete_object, Bucket=B, Key=k + 'x', IfMatch='*')
            s3.delete_object(Bucket=B, Key=k, IfMatch='*')
            from datetime import datetime
            for condition in [{'IfMatchSize': 0}, {'IfMatchLastModifiedTime': datetime(2026, 1, 1)}]:
                refused(['NotImplemented'], s3.delete_object, Bucket=B, Key=folder, **condition)
            for condition in [{'Size': 0}, {'LastModifiedTime': datetime(2026, 1, 1)}]:
                errors = s3.delete_objects(Bucket=B, Delete={'Objects': [{'Key': folder, **condition}]})['Errors']
                assert [e['Code'] for e in errors] == ['NotImplemented'], errors
            s3.delete_object(Bucket=B, Key=folder)
            assert 'Contents' not in s3.list_objects_v2(Bucket=B)
            """)
    }
}
